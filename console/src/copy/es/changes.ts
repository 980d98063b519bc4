import type { changesCopy as english } from '../en/changes.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const changesCopy: Translation<typeof english> = {
  lead: 'Qué ha pasado con los usuarios, las organizaciones y las etiquetas, lo más reciente primero. Las novedades aparecen al momento.',
  limitedLead:
    'Cambios masivos en los usuarios y cambios en organizaciones y etiquetas, los más recientes primero. Los cambios en usuarios individuales solo los ven los administradores.',
  feed: 'Qué ha pasado, lo más reciente primero',
  empty: 'Aún no ha pasado nada',
  new: (count, isMore) => {
    const changes = plural(count, 'cambio nuevo', 'cambios nuevos');
    return isMore ? `Más de ${changes}` : changes;
  },
  live: 'En tiempo real',
  liveHint: 'Los cambios nuevos aparecen en menos de un segundo.',
  reconnecting: 'Reconectando…',
  reconnectingHint: 'Se ha perdido la conexión. No se perderá ningún cambio.',
  importOf: (file) => `Importación de ${file}`,
  merged: (from, to) => `${from} se ha fusionado con ${to}`,
  renamedOrganization: (name, from, to) => `Organización ${name}: ID ${from} → ${to}`,
  renamedTag: (name, from, to) => `Etiqueta ${name}: ID ${from} → ${to}`,
  undone: (title) => `Deshecho: ${title}`,
  decision: {
    planned: 'Programado',
    approved: 'Aprobado',
    rejected: 'Rechazado',
    cancelled: 'Cancelado',
    users: (count) => plural(count, 'usuario', 'usuarios'),
    runs: (time) => `para ${time}`,
  },
  failed: (count) => plural(count, 'error', 'errores'),
  edit: {
    organizations: {
      added: (name) => `Organización ${name} añadida`,
      changed: (name) => `Organización ${name} modificada`,
      removed: (name) => `Organización ${name} eliminada`,
      several: (count) => `${formatNumber(count)} organizaciones añadidas`,
    },
    tags: {
      added: (name) => `Etiqueta ${name} añadida`,
      changed: (name) => `Etiqueta ${name} modificada`,
      removed: (name) => `Etiqueta ${name} eliminada`,
      several: (count) => `${formatNumber(count)} etiquetas añadidas`,
    },
    fields: { displayName: 'Nombre', parentSerial: 'Parte de' },
    more: (names, count) => `${names} y ${formatNumber(count)} más`,
  },
  statuses: { deactivated: 'Desactivado', reactivated: 'Reactivado' },
  nothingChanged: 'sin cambios',
  showPeople: (count) => `Mostrar personas (${count})`,
  hidePeople: 'Ocultar personas',
  peopleOf: (title, time) => `de «${title}», ${time}`,
  people: 'Personas modificadas',
  failures: 'Filas con errores',
  failuresOfRun: 'Ver las filas con errores',
  showIDs: 'Mostrar números de empleado',
  export: {
    open: 'Descargar CSV',
    limit: (max) => `Lo que muestran los filtros, hasta ${max} cambios, los más recientes primero`,
    done: (rows) => plural(rows, 'fila descargada.', 'filas descargadas.'),
    cut: (rows) =>
      `Se han descargado las ${rows} filas más recientes. Para ver las anteriores, elija un periodo más corto.`,
    failed: 'No se pudo descargar el archivo',
    fileName: 'actividad.csv',
    columns: [
      'Hora',
      'Cambio masivo',
      'Nombre',
      'Número de empleado',
      'Cambio',
      'Campo',
      'Antes',
      'Después',
      'Hecho por',
    ],
  },
  filters: {
    who: 'Hecho por',
    anyone: 'Cualquiera',
    kind: 'Tipo',
    field: 'Campo',
    from: 'Desde',
    until: 'Hasta',
    any: 'Todos',
    search: 'Escribir un nombre o un número de empleado',
    nobody: 'Sin resultados',
    programs: 'Feeds y clientes de API',
    users: 'Usuarios',
  },
  periods: {
    label: 'Periodo',
    lastDay: 'Últimas 24 horas',
    sinceYesterdayEvening: 'Desde ayer a las 18:00',
    lastWeek: 'Últimos 7 días',
  },
  erasedUser: 'Usuario borrado definitivamente',
};
