import type { statusCopy as english } from '../en/status.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const statusCopy: Translation<typeof english> = {
  lead: 'Estado del servicio en todos los nodos. Se actualiza cada pocos segundos.',
  cannotLoad: 'No se pudo cargar el estado',
  attention: {
    title: 'Requiere atención',
    nothing: 'Todo funciona correctamente.',
    show: 'Mostrar',
    kinds: {
      nodeSilent: (count) => `${plural(count, 'nodo', 'nodos')} sin señales desde hace más de un minuto`,
      versionsDiffer: (count) => `Los nodos ejecutan ${formatNumber(count)} versiones distintas`,
      migrationsPending: (count) =>
        `${plural(count, 'migración de la base de datos', 'migraciones de la base de datos')} por aplicar`,
      indexBuilding: () => 'El índice de búsqueda se está reconstruyendo',
      indexingBehind: (count) => `${plural(count, 'cambio', 'cambios')} por indexar`,
      messagesParked: (count) => `${plural(count, 'mensaje', 'mensajes')} con error de envío`,
      messagesDelayed: (count) =>
        `${plural(count, 'mensaje', 'mensajes')} en espera, algunos desde hace más de 5 minutos`,
      webhooksDisabled: (count) =>
        `${plural(count, 'webhook deshabilitado', 'webhooks deshabilitados')} tras demasiados errores`,
      webhooksFailing: (count) => `${plural(count, 'webhook', 'webhooks')} con errores`,
      scimTargetsStopped: (count) =>
        `${plural(count, 'servicio conectado pausado', 'servicios conectados pausados')} tras demasiados errores`,
      scimTargetsFailing: (count) =>
        `${plural(count, 'servicio conectado', 'servicios conectados')} con errores`,
      callsDelayed: (count) =>
        `${plural(count, 'cambio programado', 'cambios programados')} por ejecutar, algunos con retraso`,
      callsNeedTakeover: (count) => `${plural(count, 'cambio programado', 'cambios programados')} por asumir`,
      callsNeedApproval: (count) => `${plural(count, 'cambio', 'cambios')} por aprobar`,
      feedsWaiting: (count) => `${plural(count, 'feed', 'feeds')} por aprobar`,
      feedsFailed: (count) => `${plural(count, 'feed fallido o detenido', 'feeds fallidos o detenidos')}`,
      feedsDelayed: () => 'Un feed va con retraso',
      noBackup: () => 'Todavía no hay ninguna copia de seguridad',
      backupOld: () => 'La última copia de seguridad tiene más de dos días',
    },
    hints: {
      nodeSilent: 'Hay que comprobar si sigue en marcha y puede acceder a la base de datos.',
      versionsDiffer: 'Es normal durante una actualización. Si no, hay que actualizar los demás nodos.',
      migrationsPending: 'Hay que ejecutar «rollcall migrate» donde se ejecuta el servicio.',
      indexBuilding: 'Las búsquedas volverán a funcionar cuando esté completo.',
      indexingBehind:
        'Las búsquedas serán más lentas hasta entonces. Si el número aumenta, hay que revisar el registro.',
      noBackup: 'Hay que configurar copias periódicas donde se ejecuta el servicio.',
      backupOld: 'Hay que comprobar las copias de seguridad donde se ejecuta el servicio.',
    },
  },
  nodes: {
    title: 'Nodos',
    node: 'Nodo',
    version: 'Versión',
    processes: 'Procesos',
    started: 'Inicio',
    lastSeen: 'Última señal',
    state: 'Estado',
    alive: 'En marcha',
    silent: 'Sin señales',
  },
  database: {
    title: 'Base de datos',
    engine: 'Tipo',
    engines: { embedded: 'Integrada', postgres: 'PostgreSQL' },
    size: 'Tamaño',
    migrations: 'Versión del esquema',
  },
  messages: {
    title: 'Mensajes',
    waiting: 'En espera',
    held: 'Retenidos',
    dormant: 'Para usuarios inactivos',
    parked: 'Fallidos',
    oldest: 'Espera más larga',
  },
  webhooks: {
    title: 'Webhooks',
    active: 'Activos',
    failing: 'Con errores',
    disabled: 'Deshabilitados automáticamente',
    paused: 'Deshabilitados',
    oldest: 'Evento sin entregar más antiguo',
  },
  targets: {
    title: 'Servicios conectados (SCIM)',
    active: 'Activos',
    failing: 'Con errores',
    stopped: 'Pausados automáticamente',
    paused: 'En pausa',
    queued: 'Por enviar',
    failed: 'Fallidos',
  },
  calls: {
    title: 'Cambios programados',
    planned: 'Programados',
    awaitingApproval: 'Por aprobar',
    awaitingTakeover: 'Por asumir',
    running: 'En curso',
  },
  feeds: {
    title: 'Feeds',
    waiting: 'Por aprobar',
    failed: 'Fallidos o detenidos',
    running: 'En curso',
    paused: 'En pausa',
    idle: 'Inactivos',
  },
  indexing: {
    title: 'Listas y búsquedas',
    behind: 'Cambios por indexar',
    oldest: 'El más antiguo',
    building: 'Índice',
    isBuilding: 'En reconstrucción',
    isComplete: 'Completo',
  },
  backup: {
    title: 'Última copia de seguridad',
    none: 'Todavía no hay ninguna',
    finished: 'Terminada',
    file: 'Archivo',
    size: 'Tamaño',
    users: 'Usuarios',
    encrypted: 'Cifrada',
    yes: 'Sí',
    no: 'No',
  },
  nothingWaits: 'Ninguna',
};
