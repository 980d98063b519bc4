import type { userCopy as english } from '../en/user.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';

export const userCopy: Translation<typeof english> = {
  title: 'Usuario',
  notLoaded: 'No se pudo cargar este usuario',
  notRefreshed: 'No se pudo actualizar. Esta información puede estar desactualizada.',
  notFound: 'Usuario no encontrado',
  notFoundHint:
    'Puede que el enlace sea incorrecto o que el usuario se eliminara al deshacer un cambio masivo.',
  toUsers: 'Ir a los usuarios',
  details: 'Datos',
  access: 'Acceso',
  record: 'Registro',
  serial: 'ID permanente',
  back: 'Volver a los usuarios',
  changed: 'modificado',
  was: (value) => `Antes: ${value}`,
  fieldChange: (field, before, after) => `${field}: ${before} → ${after}`,
  unsaved: (fields) => `Cambios sin guardar: ${fields.join(', ')}`,
  discard: 'Descartar',
  saved: (name) => `Se ha guardado ${name}.`,
  notSaved: 'No se pudieron guardar los cambios',
  openHolder: 'Ver usuario',
  hints: {
    username: 'Opcional. Sin él, se inicia sesión con el número de empleado.',
    tagSerials: 'Elegir etiquetas, o escribir una nueva y pulsar Intro.',
  },
  newEmployeeId: {
    matching: (former) =>
      `${former} queda registrado: las búsquedas siguen encontrando al usuario por ese número, las importaciones lo reconocen y el cambio se puede deshacer en el historial. Los archivos y otros sistemas identifican a los usuarios por su número de empleado. Cámbielo también allí.`,
    signInName:
      'Este usuario no tiene nombre de usuario, así que el número de empleado será también su nuevo nombre para iniciar sesión.',
    formerly: (employeeID, name, until) =>
      `${employeeID} perteneció a ${name} hasta el ${until}. Conviene comprobar que se puede reasignar.`,
  },
  emailShared: (name: string) =>
    `${name} ya tiene esta dirección de correo. Varios usuarios pueden compartirla.`,
  rules: {
    contactRequired: 'Se necesita un correo electrónico o un teléfono.',
  },
  messageGoesTo: (email, phone) =>
    email === null ? `Se enviará por SMS a ${phone}.` : `Se enviará por correo electrónico a ${email}.`,
  leaving: {
    title: '¿Descartar los cambios?',
    hint: 'Los cambios de esta página no se han guardado.',
    stay: 'Seguir editando',
    leave: 'Descartar los cambios',
  },
  editConflict: {
    title: 'Otra persona ha modificado este usuario',
    hint: (at) =>
      `Sus cambios se guardaron el ${at}. Hay que elegir qué valores conservar y después guardar.`,
    keepMine: (value) => `Conservar mi valor: ${value}`,
    takeTheirs: (value) => `Usar el otro valor: ${value}`,
    merged: 'También se modificaron campos que no se han editado aquí:',
    apply: 'Aplicar',
  },
  isInactive: 'Inactivo. No puede iniciar sesión.',
  reports: {
    lose: (count, name) =>
      count === 1
        ? `1 usuario activo depende de ${name} y se quedará sin responsable activo.`
        : `${formatNumber(count)} usuarios activos dependen de ${name} y se quedarán sin responsable activo.`,
    show: (count) => (count === 1 ? 'Ver este usuario' : 'Ver estos usuarios'),
  },
  deactivate: {
    action: 'Desactivar',
    when: 'Cuándo',
    now: 'Ahora',
    later: 'Después del último día de trabajo',
    day: 'Último día de trabajo',
    at: (start) => `Inactivo desde el ${start}.`,
    laterHint:
      'En ese momento se cerrará su sesión, ya no podrá iniciar sesión y perderá su rol. No se borra ningún dato. Hasta entonces se puede cancelar, y más adelante se puede reactivar, pero sin el rol.',
    plan: 'Programar la desactivación',
    planned: (name, text) => `${name}: ${text}`,
    already: (text) => `Ya hay una desactivación programada. ${text}`,
    earlier: 'También afecta a otros usuarios y se mantiene. Se aplicará la que llegue antes.',
    replaced: 'Se cancelará al confirmar.',
    cancelIt: 'Cancelar la desactivación programada',
    cancelled: (name) => `Se ha cancelado la desactivación programada de ${name}.`,
    title: (name) => `¿Desactivar a ${name}?`,
    hint: 'Su sesión se cierra de inmediato, ya no podrá iniciar sesión y perderá su rol. No se borra ningún dato. Se puede reactivar más adelante, pero sin el rol.',
    yourself: 'Esta es la propia cuenta. La sesión se cerrará de inmediato.',
    done: (name) => `Se ha desactivado a ${name}.`,
    failed: 'No se pudo desactivar este usuario',
  },
  reactivate: {
    action: 'Reactivar',
    title: (name) => `¿Reactivar a ${name}?`,
    hint: 'Podrá volver a iniciar sesión con la contraseña que tenía, pero no tendrá acceso a esta consola hasta que un administrador le asigne un rol. Si un mensaje de contraseña está a la espera de esto, se enviará ahora. Los mensajes retenidos siguen retenidos hasta que se liberen.',
    done: (name) => `Se ha reactivado a ${name}.`,
    failed: 'No se pudo reactivar este usuario',
  },
  roles: {
    label: 'Rol',
    title: (name) => `Rol de ${name}`,
    hint: 'Un rol nuevo cierra las sesiones del usuario. Además, se envía una contraseña nueva si la actual procede de otra persona, que la restableció o readmitió al usuario.',
    means: {
      none: 'No puede acceder a la consola.',
      viewer: 'Puede ver usuarios.',
      operator: 'Puede ver, crear y modificar usuarios.',
      administrator:
        'Acceso completo, incluidos roles, contraseñas, clientes de API y el registro de accesos.',
    },
    former: (role) => `Rol retirado al desactivar: ${role}`,
    done: (name, role) => `El rol de ${name} es ahora: ${role}.`,
    notLoaded: 'No se pudo cargar el rol',
    failed: 'No se pudo cambiar el rol',
  },
  resetPassword: {
    action: 'Restablecer la contraseña',
    title: (name) => `¿Restablecer la contraseña de ${name}?`,
    send: 'Enviar una contraseña nueva',
    hint: 'La contraseña actual deja de funcionar y se cierran todas las sesiones. Se genera una contraseña nueva, que deberá cambiarse al iniciar sesión.',
    whenActive: 'Este usuario está inactivo. La contraseña se enviará cuando se reactive.',
    noUsername: 'Este usuario no tiene nombre de usuario e inicia sesión con el número de empleado.',
    done: (name) => `Se ha restablecido la contraseña de ${name}.`,
    failed: 'No se pudo restablecer la contraseña',
  },
  resetFactors: {
    action: 'Restablecer los segundos factores',
    title: (name) => `¿Restablecer los segundos factores de ${name}?`,
    hint: 'Asegúrese de que es realmente esa persona quien lo pide. Sus llaves de acceso, aplicaciones de autenticación y códigos de recuperación dejan de valer y se cierran todas sus sesiones. Recibe un aviso, inicia sesión con la contraseña y añade otros nuevos.',
    confirm: 'Restablecer',
    failed: 'No se han podido restablecer los segundos factores',
    done: (name) => `Segundos factores de ${name} restablecidos.`,
    none: (name) => `${name} no tenía ningún segundo factor.`,
  },
  personalData: {
    title: 'Datos personales',
    export: 'Exportar los datos',
    file: (employeeID) => `datos-personales-${employeeID}.json`,
    report: 'Informe legible',
    saved: (file) => `Guardado como ${file}.`,
    exportFailed: 'No se pudieron exportar los datos',
    erase: 'Borrar definitivamente…',
    eraseTitle: (name) => `¿Borrar definitivamente a ${name}?`,
    consequences: [
      {
        what: 'Se borra',
        text: 'Todos los datos personales: el perfil con su acceso y los valores del historial, de los mensajes y de los resultados de importaciones.',
      },
      {
        what: 'Se conserva',
        text: 'Que existió un usuario y quién lo modificó y cuándo, sin los valores. Las copias de seguridad y los archivos fuera de Rollcall conservan su contenido.',
      },
      {
        what: 'Definitivo',
        text: 'No se puede deshacer: Rollcall no guarda ninguna copia, así que ni un administrador puede recuperar al usuario.',
      },
    ],
    alternative: 'Para retirar el acceso y conservar los datos, basta con desactivar al usuario.',
    typeId: (employeeID) => `Para confirmar, escribir el número de empleado ${employeeID}`,
    confirm: 'Borrar definitivamente',
    erased: (employeeID) => `Se ha borrado definitivamente al usuario ${employeeID}.`,
    eraseFailed: 'No se pudo borrar al usuario',
  },
  employeeIds: {
    title: 'Números de empleado',
    open: (employeeID) => `Mostrar el historial de ${employeeID}`,
    period: (since, until) => {
      if (until === undefined) return `desde el ${since}`;
      return since === until ? `el ${since}` : `${since} – ${until}`;
    },
    historyOf: (employeeID) => `Historial de ${employeeID}`,
    free: 'Ningún usuario tiene ahora este número de empleado.',
    user: 'Usuario',
    since: 'Desde',
    until: 'Hasta',
    now: 'Ahora',
    next: (newEmployeeID) => (newEmployeeID === null ? 'Usuario eliminado' : `Cambiado a ${newEmployeeID}`),
    unnamed: 'Ver usuario',
    notLoaded: 'No se pudieron cargar los números de empleado',
  },
};
