import type { plannedCopy as english } from '../en/planned.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural, users } from './plural.js';

export const plannedCopy: Translation<typeof english> = {
  toDecide: (count) => `${plural(count, 'cambio', 'cambios')} por aprobar.`,
  ofOthers: (count) => `Otra persona debe aprobar ${plural(count, 'cambio', 'cambios')}.`,
  view: 'Ver',
  needsTakeover: 'Debe asumirla alguien',

  plannedAt: 'Programada',
  effectiveAt: 'Se ejecuta',
  onceApproved: 'Cuando se apruebe',
  expiresAt: 'Caduca',
  approval: 'Aprobación',
  approvalNeeded: 'Necesaria',
  approvalNotNeeded: 'No es necesaria',
  author: 'Programado por',
  cancelledBy: 'Cancelado por',
  ifChanged: 'Si el resultado difiere entonces de la vista previa',
  ifChangedChoices: {
    skip: 'Omitir a esos usuarios',
    run: 'Ejecutar de todos modos',
    stop: 'No cambiar nada',
  },

  isPlanned: (time) => `Este cambio se ejecuta el ${time}. Aún no ha cambiado nada.`,
  isDue: 'Este cambio se ejecutará en un momento. Aún no ha cambiado nada.',
  awaitsApproval: 'Este cambio está pendiente de aprobación. Aún no ha cambiado nada.',
  awaitsApprovalUntil: (time) =>
    `Este cambio está pendiente de aprobación y se ejecuta el ${time}. Aún no ha cambiado nada.`,
  ownCall: 'Quien programa o asume un cambio no puede aprobarlo: debe hacerlo otra persona.',
  takeoverNeeded:
    'Quien programó este cambio ya no tiene permiso para hacerlo, el cliente de API se desactivó o se sustituyó su secreto, o se restauró una copia de seguridad después de la fecha prevista. Solo se ejecutará si alguien lo asume.',
  wasCancelled: 'Este cambio se canceló. No ha cambiado nada.',
  hasExpired: 'Este cambio no pudo ejecutarse a tiempo y ha caducado. No ha cambiado nada.',

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
    title: '¿Aprobar este cambio?',
    upTo: (items) => `Modifica hasta ${users(items)}.`,
    now: 'Se ejecuta ahora, como se muestra en la vista previa.',
    later: (time) => `Se ejecuta el ${time}, como se muestra en la vista previa.`,
    confirm: 'Aprobar',
    done: 'Cambio aprobado.',
    failed: 'No se pudo aprobar este cambio',
  },
  reject: {
    open: 'Rechazar…',
    title: '¿Rechazar este cambio?',
    hint: 'No se ejecutará y no cambia nada. Quien lo solicitó tendrá que programarlo de nuevo.',
    confirm: 'Rechazar',
    done: 'Cambio rechazado.',
    failed: 'No se pudo rechazar este cambio',
  },
  cancel: {
    keep: 'Conservarlo',
    open: 'Cancelar el cambio…',
    title: '¿Cancelar este cambio?',
    hint: 'No se ejecutará y no cambia nada.',
    confirm: 'Cancelar el cambio',
    done: 'Cambio cancelado.',
    failed: 'No se pudo cancelar este cambio',
  },
  takeOver: {
    open: 'Asumir…',
    title: '¿Asumir este cambio?',
    hint: 'La autoría pasa a esta cuenta: el cambio se ejecuta con sus permisos y el historial le atribuye los cambios. Las contraseñas indicadas en él se sustituyen por otras generadas.',
    approval: 'Después, otra persona debe aprobarlo.',
    confirm: 'Asumir',
    done: 'Cambio asumido.',
    failed: 'No se pudo asumir este cambio',
  },

  scope: {
    title: 'A quién afecta',
    filter: 'Seleccionados con este filtro',
    byHand: (count) =>
      plural(count, 'usuario seleccionado uno a uno', 'usuarios seleccionados uno a uno'),
    search: (text) => `Búsqueda de «${text}»`,
    flags: {
      includeParts: {
        true: 'Incluidas las partes de estas organizaciones',
        false: 'Sin las partes de las organizaciones',
      },
      hasOrganization: { true: 'Con organización', false: 'Sin organización' },
      hasTags: { true: 'Con etiquetas', false: 'Sin etiquetas' },
      hasManager: { true: 'Con responsable', false: 'Sin responsable' },
    },
    organizations: (count, isAll) =>
      isAll ? 'Organizaciones' : `Organizaciones de los primeros ${users(count)}`,
    organization: (name, count) => `${name}: ${users(count)}`,
    none: 'Sin organización',
    others: (count) => plural(count, 'organización más', 'organizaciones más'),
    sample: 'Por ejemplo',
  },

  items: {
    title: { ran: 'Filas', waiting: 'Vista previa' },
    table: { ran: 'Filas de este cambio y sus resultados', waiting: 'Qué hará este cambio' },
    show: 'Mostrar',
    filters: { all: 'Todos', failed: { ran: 'Con error', waiting: 'Fallarán' } },
    position: 'N.º',
    outcome: 'Resultado',
    what: { ran: 'Antes → después', waiting: 'Antes → después' },
    did: {
      deactivated: 'Desactivado',
      reactivated: 'Reactivado',
      changed: (fields) => `Cambios: ${fields}`,
    },
    showDetails: 'Mostrar',
    hideDetails: 'Ocultar',
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
    none: 'Las filas de este cambio ya no se conservan.',
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
    view: 'Ver el cambio programado',
  },

  awaits: {
    title: 'Pendiente de aprobación',
    text: 'Esto supera el límite de seguridad, así que otra persona debe aprobarlo. Aún no ha cambiado nada.',
    view: 'Ver el cambio',
  },
};
