import type { changesCopy as english } from '../en/changes.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const changesCopy: Translation<typeof english> = {
  title: 'Cambios',
  lead: 'Todo lo que ha cambiado en los usuarios, lo más reciente primero. Los cambios nuevos aparecen al momento.',
  feed: 'Cambios, los más recientes primero',
  empty: 'Aún no hay cambios',
  new: (count, isMore) => {
    const changes = plural(count, 'cambio nuevo', 'cambios nuevos');
    return isMore ? `Más de ${changes}` : changes;
  },
  live: 'En tiempo real',
  liveHint: 'Los cambios nuevos aparecen en menos de un segundo.',
  reconnecting: 'Reconectando…',
  reconnectingHint: 'Se ha perdido la conexión. No se perderá ningún cambio.',
  filters: {
    who: 'Modificado por',
    anyone: 'Cualquiera',
    user: 'Usuario',
    anyUser: 'Todos',
    kind: 'Tipo',
    field: 'Campo',
    from: 'Desde',
    until: 'Hasta',
    any: 'Todos',
    call: 'Solo los cambios de:',
    search: 'Escribir un nombre o un número de empleado',
    nobody: 'Sin resultados',
    clients: 'Clientes de API',
    users: 'Usuarios',
  },
  bulkCall: 'Operación masiva',
  erasedUser: 'Usuario borrado definitivamente',
};
