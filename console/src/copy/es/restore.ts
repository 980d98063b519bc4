export const restoreCopy = {
  undo: 'Deshacer',
  undone: (name: string, fields: readonly string[]) => `Deshecho en ${name}: ${fields.join(', ')}.`,
  notUndone: (name: string, fields: readonly string[]) =>
    `No se ha deshecho nada, porque en ${name} se ha vuelto a cambiar: ${fields.join(', ')}.`,
  toHistory: 'Ver el historial',
  change: {
    action: 'Deshacer este cambio…',
    title: '¿Deshacer este cambio?',
    hint: (name: string, at: string) => `Estos valores de ${name} vuelven a ser los de antes del ${at}:`,
    confirm: 'Deshacer cambio',
  },
  version: {
    action: 'Restaurar esta versión…',
    title: '¿Restaurar esta versión?',
    hint: (name: string, at: string) => `Estos valores de ${name} vuelven a ser los del ${at}:`,
    confirm: 'Restaurar versión',
  },
  loading: 'Comprobando qué cambia…',
  notLoaded: 'No se ha podido comprobar qué cambia',
  nothing: 'No hay nada que cambiar: el usuario ya tiene estos valores.',
  changedAgain: (at: string) => `Cambiado de nuevo el ${at} por`,
  taken: (name: string) => `No se puede restaurar: ${name} pertenece ahora a`,
  managerGone: 'No se puede restaurar: este responsable ya no existe.',
  retired: 'No se puede restaurar: este atributo ya no se usa.',
  role: 'El rol no se restaura. Un administrador puede volver a asignarlo.',
  changedNow: (fields: readonly string[]) =>
    `Ha cambiado mientras tanto: ${fields.join(', ')}. Revise los valores e inténtelo de nuevo.`,
  failed: 'No se han podido restaurar los valores',
  done: (name: string) => `${name}: valores restaurados.`,
};
