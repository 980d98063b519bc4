import type { homeCopy as english } from '../en/home.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const homeCopy: Translation<typeof english> = {
  title: 'Inicio',
  range: 'Período',
  ranges: { 7: '7 días', 30: '30 días', 90: '90 días', 365: '1 año' },
  cannotLoad: 'No se pudieron cargar las cifras',
  chart: {
    chart: 'Gráfico',
    table: 'Tabla',
    view: (title) => `Vista de «${title}»`,
    day: 'Día',
    numbers: (title) => `Cifras de «${title}»`,
    keys: 'Las teclas de flecha permiten moverse de un día a otro.',
    keysAndOpen: 'Las teclas de flecha permiten moverse de un día a otro. Intro abre el día seleccionado.',
  },
  tiles: {
    active: 'Usuarios activos',
    inactive: 'Usuarios inactivos',
    created: 'Usuarios nuevos',
    inDays: (days) => `en ${plural(days, 'día', 'días')}, y siguen existiendo`,
    more: (count, days) => `${formatNumber(count)} más que hace ${plural(days, 'día', 'días')}`,
    fewer: (count, days) => `${formatNumber(count)} menos que hace ${plural(days, 'día', 'días')}`,
    same: (days) => `Igual que hace ${plural(days, 'día', 'días')}`,
  },
  users: {
    title: 'Evolución de los usuarios',
    note: 'Apilado: el borde superior es el total de usuarios, activos e inactivos.',
    active: 'Activos',
    inactive: 'Inactivos',
    link: 'Ver usuarios',
    summary: (from, to, before, after) =>
      `Del ${from} al ${to}, los usuarios activos pasaron de ${formatNumber(before[0])} a ${formatNumber(after[0])}, y los inactivos, de ${formatNumber(before[1])} a ${formatNumber(after[1])}.`,
  },
  changes: {
    title: 'Cambios por día',
    created: 'Nuevos',
    updated: 'Modificados',
    deactivated: 'Desactivados',
    reactivated: 'Reactivados',
    removed: 'Eliminados',
    link: 'Ver cambios',
    summary: (from, to, total, busiest, most) =>
      `${plural(total, 'cambio', 'cambios')} del ${from} al ${to}. El día con más cambios fue el ${busiest}, con ${formatNumber(most)}.`,
    none: (from, to) => `Sin cambios del ${from} al ${to}.`,
  },
  attention: {
    title: 'Por resolver',
    underWay: 'En curso',
    dismiss: 'Descartar',
    dismissLine: (label) => `Descartar: ${label}`,
    feedsRows: 'Feeds con filas fallidas en la última ejecución',
    failedRows: (source) => `Filas fallidas: ${source}`,
    system: 'Problemas del servicio',
    nothing: 'No hay nada que requiera atención.',
    feedsWaiting: 'Feeds que esperan aprobación',
    feedsFailed: 'Feeds que han fallado o no se han ejecutado a tiempo',
    approvals: 'Cambios por aprobar',
    othersApprovals: 'Cambios que debe aprobar otra persona',
    withoutManager: 'Personas sin responsable activo',
    planned: 'Cambios programados',
    failedMessages: 'Mensajes fallidos',
    heldMessages: 'Mensajes retenidos, pendientes de liberar',
    waitingMessages: 'Mensajes en proceso de envío',
    failingWebhooks: 'Webhooks con errores',
    failingTargets: 'Servicios conectados con errores',
    stoppedProviders: 'Proveedores de identidad detenidos por el límite de desactivaciones',
    count: (count, isMore) => (isMore ? `+${formatNumber(count)}` : formatNumber(count)),
  },
  checklist: {
    title: 'Primeros pasos',
    progress: (done, all) => `${done} de ${all} hechos.`,
    hide: 'Ocultar',
    steps: {
      import: {
        title: 'Importar un archivo',
        text: 'Traiga a sus empleados desde CSV o Excel. Se puede deshacer.',
      },
      email: {
        title: 'Configurar el correo',
        text: 'Por ahora, las contraseñas solo se escriben en archivos. Su departamento de TI puede conectar un servidor de correo.',
      },
      colleague: {
        title: 'Invitar a un compañero',
        text: 'Abra un usuario y elija «Cambiar el rol…», para que otra persona pueda ayudar y aprobar lo que usted solicite.',
      },
      backup: {
        title: 'Hacer una copia de seguridad',
        text: 'Su departamento de TI puede programar una para cada noche.',
      },
    },
  },
  recent: {
    title: 'Importaciones y cambios masivos recientes',
    empty: 'Aún no hay importaciones. Los cambios hechos desde un archivo o por otro programa aparecen aquí.',
    all: 'Ver todo',
    planned: (count) => `${users(count)} ${choose(count, 'previsto', 'previstos')}`,
    changes: (count) => (count === 0 ? 'Sin cambios' : plural(count, 'cambio', 'cambios')),
    succeeded: (count) => `${users(count)} ${choose(count, 'procesado', 'procesados')}`,
    failed: (count) => `${formatNumber(count)} con error`,
  },
  start: {
    title: 'Primeros pasos con Rollcall',
    lead: 'Tres pasos para traer a sus empleados:',
    steps: {
      file: {
        title: '1. Elegir un archivo',
        text: 'Exportar los empleados desde el sistema de RR. HH. como CSV o Excel. Basta con el número de empleado, el nombre y un correo electrónico o teléfono.',
      },
      check: {
        title: '2. Revisar los cambios',
        text: 'Rollcall reconoce las columnas y muestra cada usuario antes de guardar nada. Las celdas se pueden corregir ahí mismo.',
      },
      run: {
        title: '3. Importar',
        text: 'Los usuarios nuevos reciben su contraseña por correo electrónico o SMS. La importación se puede deshacer con un clic.',
      },
    },
    import: 'Importar usuarios',
    create: 'Crear un solo usuario',
    ask: 'Para importar usuarios, es necesario acudir a un gestor o a un administrador.',
  },
};
