/** Lo que los usuarios ven y cambian de sí mismos. */
export const profileCopy = {
  title: 'Sus datos',
  lead: 'Lo que la empresa ha guardado sobre usted. Para corregir algo que no pueda cambiar aquí, diríjase a Recursos Humanos.',
  cannotLoad: 'No se han podido cargar sus datos',
  edit: 'Editar',
  cancel: 'Cancelar',
  saved: 'Guardado.',
  notSaved: 'No se han podido guardar sus datos',
  contactHint: 'Antes enviaremos allí un código.',
  organization: 'Organización',
  tags: 'Etiquetas',
  confirm: {
    title: (value: string) => `Confirmar ${value}`,
    sent: 'Hemos enviado allí un código de 8 cifras. Introdúzcalo aquí para usar el dato desde ahora.',
    sending: 'Un código de 8 cifras está en camino. Introdúzcalo aquí para usar el dato desde ahora.',
    until: (time: string) => `El código es válido hasta las ${time}.`,
    code: 'Código',
    action: 'Confirmar',
    withdraw: 'Conservar el anterior',
    failed: 'No se ha podido confirmar',
    notWithdrawn: 'No se ha podido descartar',
    attemptsLeft: (count: number) =>
      count === 0
        ? 'Este código ya no es válido. Vuelva a editar sus datos para recibir otro.'
        : count === 1
          ? 'Código incorrecto. Queda un intento.'
          : `Código incorrecto. Quedan ${count} intentos.`,
    done: (value: string) => `${value} está confirmado.`,
  },
  team: {
    title: 'Su equipo',
    manager: 'Su responsable',
    reports: 'Personas a su cargo',
    noManager: 'No consta ningún responsable.',
    inactive: (name: string) => `${name} (inactivo)`,
    more: 'y otras personas',
  },
  report: { action: 'Descargar como informe', failed: 'No se ha podido crear el informe' },
  history: {
    title: 'Qué ha cambiado',
    table: 'Cambios, los más recientes primero',
    lead: 'Cambios en sus datos, los más recientes primero.',
    empty: 'Todavía no hay cambios.',
    cannotLoad: 'No se han podido cargar los cambios',
    when: 'Cuándo',
    what: 'Qué',
    by: { self: 'por usted', person: 'por una persona que gestiona usuarios', program: 'por otro sistema' },
    valueChanged: (field: string) => `${field}: con cambios`,
  },
};
