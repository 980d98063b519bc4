import type { plannedCopy as english } from '../en/planned.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const plannedCopy: Translation<typeof english> = {
  waiting: (count) =>
    `${plural(count, 'operación', 'operaciones')} ${choose(count, 'pendiente', 'pendientes')} de aprobación.`,
  view: 'Ver',
  needsTakeover: 'Debe asumirla alguien',

  plannedAt: 'Programada',
  effectiveAt: 'Se ejecuta',
  onceApproved: 'Cuando se apruebe',
  expiresAt: 'Caduca',
  approval: 'Aprobación',
  approvalNeeded: 'Necesaria',
  approvalNotNeeded: 'No es necesaria',
  author: 'Autor',
  cancelledBy: 'Cancelada por',
  ifChanged: 'Si el resultado difiere entonces de la vista previa',
  ifChangedChoices: {
    skip: 'Omitir a esos usuarios',
    run: 'Ejecutar de todos modos',
    stop: 'No cambiar nada',
  },

  isPlanned: (time) => `Esta operación se ejecuta el ${time}. Aún no ha cambiado nada.`,
  isDue: 'Esta operación se ejecutará en un momento. Aún no ha cambiado nada.',
  awaitsApproval: 'Esta operación está pendiente de aprobación. Aún no ha cambiado nada.',
  awaitsApprovalUntil: (time) =>
    `Esta operación está pendiente de aprobación y se ejecuta el ${time}. Aún no ha cambiado nada.`,
  ownCall: 'Quien programa o asume una operación no puede aprobarla: debe hacerlo otra persona.',
  takeoverNeeded:
    'El autor ya no tiene permiso para hacer esta operación. Solo se ejecutará si alguien la asume.',
  wasCancelled: 'Esta operación se canceló. No ha cambiado nada.',
  hasExpired: 'Esta operación no pudo ejecutarse a tiempo y ha caducado. No ha cambiado nada.',

  noted: (note) => `Nota: ${note}`,
  does: {
    created: (count) => `Crea ${users(count)}.`,
    rehired: (count) => `Reincorpora a ${users(count)}.`,
    deactivated: (count) => `Desactiva a ${users(count)}.`,
    reactivated: (count) => `Reactiva a ${users(count)}.`,
    renumbered: (count) => `Cambia el número de empleado de ${users(count)}.`,
    updated: (count) => `Cambia datos de ${users(count)}.`,
    deleted: (count) => `Elimina a ${users(count)}.`,
    erased: (count) => `Borra definitivamente a ${users(count)}.`,
    unchanged: (count) => `Deja a ${users(count)} sin cambios.`,
    failed: (count) => `Fallará con ${users(count)}.`,
  },
  approve: {
    open: 'Aprobar…',
    title: '¿Aprobar esta operación?',
    upTo: (items) => `Modifica hasta ${users(items)}.`,
    now: 'Se ejecuta ahora, como se muestra en la vista previa.',
    later: (time) => `Se ejecuta el ${time}, como se muestra en la vista previa.`,
    confirm: 'Aprobar',
    done: 'Operación aprobada.',
    failed: 'No se pudo aprobar esta operación',
  },
  reject: {
    open: 'Rechazar…',
    title: '¿Rechazar esta operación?',
    hint: 'No se ejecutará y no cambia nada. Quien la solicitó tendrá que programarla de nuevo.',
    confirm: 'Rechazar',
    done: 'Operación rechazada.',
    failed: 'No se pudo rechazar esta operación',
  },
  cancel: {
    keep: 'Conservarla',
    open: 'Cancelar la operación…',
    title: '¿Cancelar esta operación?',
    hint: 'No se ejecutará y no cambia nada.',
    confirm: 'Cancelar la operación',
    done: 'Operación cancelada.',
    failed: 'No se pudo cancelar esta operación',
  },
  takeOver: {
    open: 'Asumir…',
    title: '¿Asumir esta operación?',
    hint: 'La autoría pasa a esta cuenta: la operación se ejecuta con sus permisos y el historial le atribuye los cambios. Las contraseñas indicadas en ella se sustituyen por otras generadas.',
    approval: 'Después, otra persona debe aprobarla.',
    confirm: 'Asumir',
    done: 'Operación asumida.',
    failed: 'No se pudo asumir esta operación',
  },

  items: {
    title: { ran: 'Elementos', waiting: 'Vista previa' },
    table: { ran: 'Elementos de esta operación y sus resultados', waiting: 'Qué hará esta operación' },
    show: 'Mostrar',
    filters: { all: 'Todos', failed: { ran: 'Con error', waiting: 'Fallarán' } },
    position: 'N.º',
    outcome: 'Resultado',
    what: { ran: 'Motivo', waiting: 'Antes → después' },
    succeeded: 'Correcto',
    failed: 'Con error',
    preview: {
      created: 'Se creará',
      updated: 'Cambiará',
      rehired: 'Se reincorporará',
      deleted: 'Se eliminará',
      erased: 'Se borrará definitivamente',
      unchanged: 'Sin cambios',
      failed: 'Fallará',
    },
    noFailures: 'Sin errores',
    none: 'Los elementos de esta operación ya no se conservan.',
    download: 'Descargar los errores',
    downloading: (count) => `Leyendo ${formatNumber(count)}…`,
    cannotDownload: 'No se pudieron leer los errores',
    downloadName: (callId) => `errores-${callId}.csv`,
    columns: ['Posición', 'Número de empleado', 'Error', 'Motivo'],
  },

  upcoming: {
    title: 'Próximos cambios',
    on: (time) => `El ${time}`,
    onApproved: (time) => `El ${time}, si se aprueba`,
    onceApproved: 'Cuando se apruebe',
    deactivate: 'desactivar',
    reactivate: 'reactivar',
    change: 'modificar',
    what: (when, what) => `${when}: ${what}`,
    view: 'Ver la operación programada',
  },

  awaits: {
    title: 'Pendiente de aprobación',
    text: 'Esto supera el límite de seguridad, así que otra persona debe aprobarlo. Aún no ha cambiado nada.',
    view: 'Ver la operación',
  },
};
