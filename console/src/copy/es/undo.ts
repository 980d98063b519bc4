import type { undoCopy as english } from '../en/undo.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const undoCopy: Translation<typeof english> = {
  title: '¿Deshacer estos cambios?',
  doneTitle: 'Cambios deshechos',
  loading: 'Comprobando qué se puede deshacer…',
  cannotPreview: 'No se pudo obtener la vista previa',
  failed: 'No se pudieron deshacer los cambios',
  willRestore: (count) => `${users(count)} ${choose(count, 'volverá', 'volverán')} a su estado anterior.`,
  willRemove: (count) => `${users(count)} se ${choose(count, 'eliminará', 'eliminarán')}.`,
  willSkip: (count) =>
    `${users(count)} no se ${choose(count, 'puede restaurar y quedará', 'pueden restaurar y quedarán')} como ${choose(count, 'está', 'están')}.`,
  notes: {
    messages:
      'Los mensajes ya enviados no se pueden retirar. Las contraseñas enviadas dejan de funcionar para los usuarios que se eliminen o desactiven.',
    roles: 'Los usuarios que vuelvan a estar activos no tendrán rol. Un administrador debe asignarles uno.',
    again: 'Más adelante se puede revertir esta acción en Actividad.',
  },
  nothing: 'No hay nada que deshacer.',
  restored: (count) => `${users(count)} ${choose(count, 'restaurado', 'restaurados')}.`,
  removed: (count) => `${users(count)} ${choose(count, 'eliminado', 'eliminados')}.`,
  skipped: (count) => `${users(count)} sin cambios.`,
  nothingDone: 'No se ha cambiado nada.',
  changesTitle: 'Cambios',
  changesTable: 'Cambios al deshacer',
  skippedTitle: 'Sin cambios',
  skippedTable: 'Usuarios que no se pueden restaurar',
  fields: 'Antes → después',
  reason: 'Motivo',
  safetyLimitTitle: 'Esto afecta a muchos usuarios',
  safetyLimit: (count) =>
    `Al deshacer, se eliminarían, desactivarían o cambiarían de número de empleado ${users(count)}, lo que supera el límite de seguridad.`,
  typeToConfirm: (count) => `Para confirmar, escribir ${count}`,
  confirm: 'Deshacer',
  viewUndo: 'Ver en Actividad',
};
