import type { feedsCopy as english } from '../en/feeds.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'fila', 'filas');
const pastRuns = (count: number) => plural(count, 'ejecución anterior', 'ejecuciones anteriores');
const runs = (count: number) => plural(count, 'ejecución', 'ejecuciones');

const onlyShow = 'Mostrar solo lo que haría';

export const feedsCopy: Translation<typeof english> = {
  title: 'Feeds',
  lead: 'Archivos de otros sistemas que Rollcall lee por sí mismo para mantener al día a los usuarios.',
  create: 'Nuevo feed',
  cannotLoad: 'No se han podido cargar los feeds',
  empty: {
    title: 'Todavía no hay feeds',
    text: 'Un feed es un archivo de su sistema de personal que Rollcall lee por sí mismo, por ejemplo cada noche. Crea, cambia y desactiva usuarios según el archivo. Si un archivo parece incorrecto, no cambia nada y le pregunta antes.',
    how: 'Para crear uno, importe un archivo una vez y elija «Guardar como feed». Si escribe los ajustes en un archivo, use «rollcall feeds apply».',
    ask: 'Pida a un administrador que configure uno.',
    import: 'Importar un archivo',
  },
  columns: {
    feed: 'Feed',
    state: 'Estado',
    lastRun: 'Última ejecución',
    nextRun: 'Próxima ejecución',
    changes: 'Cambios por ejecución',
    users: 'Usuarios',
  },
  never: 'Nunca',
  onlyOnRequest: 'Solo cuando alguien lo inicia',
  onlyByUpload: 'Cuando alguien sube un archivo',
  changesTrend: (count, last) => `Cambios en ${runs(count)}. ${formatNumber(last)} en la más reciente.`,
  health: {
    waiting: 'Espera aprobación',
    running: 'En curso',
    paused: 'En pausa',
    failed: 'Ha fallado',
    late: 'Con retraso',
    ready: 'Listo',
  },
  source: {
    https: (host) => `Servidor web ${host}`,
    sftp: (host) => `SFTP ${host}`,
    s3: (bucket) => `Almacenamiento ${bucket}`,
    folder: (path) => `Carpeta del servidor, ${path}`,
    upload: 'Subido a mano',
  },

  back: 'Todos los feeds',
  backToFeed: (name) => `Volver a ${name}`,
  notFound: 'Este feed no existe',
  notFoundHint: 'Es posible que se haya eliminado.',
  runNotFound: 'Esta ejecución no existe',
  runNotFoundHint: 'Las ejecuciones se eliminan un tiempo después de terminar.',
  tabs: { label: 'Partes de este feed', overview: 'Resumen', settings: 'Ajustes', versions: 'Versiones' },
  facts: 'Acerca de este feed',
  from: 'Origen',
  schedule: 'Programación',

  actions: {
    run: 'Ejecutar ahora',
    more: 'Más…',
    dryRun: '¿Qué haría el archivo de esta noche?',
    upload: 'Subir un archivo…',
    pause: 'Pausar',
    resume: 'Reanudar',
    edit: 'Editar ajustes',
    remove: 'Eliminar…',
    failed: 'No se ha podido hacer',
    started: 'Ejecución iniciada.',
    paused: (name) => `${name} está en pausa. Solo se ejecuta cuando alguien lo inicia.`,
    resumed: (name) => `${name} vuelve a ejecutarse según su programación.`,
  },
  remove: {
    title: (name) => `¿Eliminar ${name}?`,
    text: (count) =>
      `Se eliminan sus ajustes, ejecuciones y archivos guardados. ${users(count)} ${choose(count, 'queda', 'quedan')} sin cambios, pero ya no ${choose(count, 'pertenece', 'pertenecen')} a ningún feed. No se puede deshacer.`,
    type: (key) => `Escriba ${key} para confirmar`,
    mismatch: 'No coincide.',
    confirm: 'Eliminar feed',
    failed: 'No se ha podido eliminar el feed',
    done: (name) => `${name} eliminado.`,
  },
  upload: {
    title: 'Subir un archivo',
    file: 'Archivo',
    fileHint: 'CSV, Excel o JSON, con las mismas columnas de siempre.',
    choose: 'Elegir un archivo',
    only: onlyShow,
    onlyHint: 'No se cambia nada.',
    empty: 'Este archivo está vacío. Haga que se exporte de nuevo.',
    replaces: 'Este archivo sustituye a la ejecución que espera aprobación.',
    confirm: 'Subir',
    progress: 'Subida',
    sent: (share) => `${share} subido`,
    failed: 'No se ha podido subir el archivo',
  },

  run: {
    title: (feed, time) => `${feed}: ejecución del ${time}`,
    loading: 'Ejecución',
    dryRun: 'Vista previa',
    state: {
      queued: 'Empieza enseguida',
      running: 'En curso',
      waiting: 'Espera aprobación',
      done: 'Terminada',
      unchanged: 'El mismo archivo que antes',
      failed: 'Ha fallado',
      stopped: 'Detenida por un límite',
      cancelled: 'Cancelada',
      superseded: 'Sustituida por un archivo más reciente',
      undoing: 'Deshaciéndose',
      undone: 'Deshecha',
    },
    phase: {
      fetch: 'Recogiendo el archivo…',
      plan: 'Comparando el archivo con los usuarios…',
      apply: 'Cambiando usuarios…',
    },
    undoing: 'Devolviendo a los usuarios lo que cambió la ejecución…',
    progress: 'Progreso de la ejecución',
    rowsDone: (done, all) => `${formatNumber(done)} de ${rows(all)}`,
    trigger: {
      schedule: 'Según la programación',
      newFile: 'Porque había un archivo nuevo',
      upload: 'Se subió un archivo',
      request: 'La inició alguien',
    },
    facts: 'Acerca de esta ejecución',
    why: 'Motivo',
    by: 'Iniciada por',
    at: 'Inicio',
    ended: 'Fin',
    approved: 'Aprobada por',
    file: 'Archivo',
    undone: 'Deshecha por',
    fileRows: 'Filas',
    settings: 'Ajustes',
    version: (version) => `Versión ${formatNumber(version)}`,
    replays: 'Lee de nuevo el archivo de una ejecución anterior',
    view: 'Ver esta ejecución',
    id: 'ID de la ejecución',
  },
  counts: {
    title: { did: 'Lo que hizo la ejecución', would: 'Lo que haría la ejecución' },
    created: 'Creados',
    rehired: 'Recontratados',
    updated: 'Cambiados',
    renamed: 'Nuevo número de empleado',
    deactivated: 'Desactivados',
    reactivated: 'Reactivados',
    unchanged: 'Sin cambios',
    planned: 'Otro día',
    skipped: 'No tocados',
    failed: 'Con errores',
    changedFields: 'Campos cambiados',
    changedFor: (field, count) => `${field}: ${users(count)}`,
    none: 'Sin cambios',
    changes: (count) => plural(count, 'cambio', 'cambios'),
    wouldChange: (count) => `Haría ${plural(count, 'cambio', 'cambios')}`,
    failures: (count) => `${formatNumber(count)} con errores`,
  },

  waiting: {
    title: 'Esta ejecución espera aprobación',
    titleOnFeedPage: 'Una ejecución espera aprobación',
    text: 'Todavía no ha cambiado nada. Compare los números con lo que sabe de la empresa. Si el archivo es incorrecto, rechace la ejecución y haga corregir la exportación.',
    always: 'Todas las ejecuciones de este feed necesitan aprobación.',
    author: 'Usted inició esta ejecución, así que debe aprobarla otra persona.',
    rows: 'Ver las filas',
    decisions: {
      approve: {
        open: 'Aprobar…',
        title: '¿Aprobar esta ejecución?',
        text: 'La ejecución cambia ahora a estos usuarios. Después puede deshacerla.',
        confirm: 'Aprobar',
        done: 'Ejecución aprobada.',
        failed: 'No se ha podido aprobar la ejecución',
      },
      reject: {
        open: 'Rechazar…',
        title: '¿Rechazar esta ejecución?',
        text: 'No se cambia nada. El próximo archivo se lee como siempre.',
        confirm: 'Rechazar',
        done: 'Ejecución rechazada.',
        failed: 'No se ha podido rechazar la ejecución',
      },
    },
    unusual: 'Lo que no es habitual',
    wasUnusual: 'Lo que no era habitual antes',
  },
  stopped: {
    title: 'Un límite ha detenido esta ejecución',
    titleOnFeedPage: 'Un límite ha detenido la última ejecución',
    text: 'No ha cambiado nada. Este feed nunca pide aprobación. Haga corregir el archivo o cambie los límites del feed.',
  },
  failed: {
    title: 'Esta ejecución ha fallado',
    titleOnFeedPage: 'La última ejecución ha fallado',
    partly: 'Lo que había cambiado hasta entonces se mantiene y se puede deshacer.',
  },
  cancelled: {
    title: 'Esta ejecución se canceló',
    nothing: 'No ha cambiado nada. El próximo archivo se lee como siempre.',
    partly: 'Lo que había cambiado hasta entonces se mantiene y se puede deshacer.',
  },
  dryRun: {
    title: 'Esto es solo una vista previa',
    text: 'No ha cambiado nada. Para hacer estos cambios, ejecute el feed.',
    textOfUpload: `No ha cambiado nada. Para hacer estos cambios, suba el archivo sin «${onlyShow}».`,
  },
  stop: {
    open: 'Detener ejecución…',
    title: '¿Detener esta ejecución?',
    text: 'Lo que ha cambiado hasta ahora se mantiene y se puede deshacer.',
    keep: 'Dejar que siga',
    confirm: 'Detener ejecución',
    done: 'La ejecución se detiene enseguida.',
    failed: 'No se ha podido detener la ejecución',
  },
  undo: {
    open: 'Deshacer…',
    title: '¿Deshacer esta ejecución?',
    checking: 'Comprobando qué se puede deshacer…',
    nothing: 'Esta ejecución no cambió a nadie, así que no hay nada que deshacer.',
    willRestore: (count) =>
      `${users(count)} ${choose(count, 'recuperará', 'recuperarán')} lo que tenían antes de la ejecución.`,
    changedSince: (count) =>
      `Otros han cambiado desde entonces a ${users(count)}. Lo que cambiaron otros se mantiene.`,
    created: (count) =>
      `Se ${choose(count, 'eliminará', 'eliminarán')} ${users(count)} que creó la ejecución.`,
    pause:
      'La próxima ejecución vuelve a leer el archivo. Para que no haga los mismos cambios, ponga el feed en pausa.',
    confirm: 'Deshacer ejecución',
    started: 'La ejecución se está deshaciendo.',
    failed: 'No se ha podido deshacer la ejecución',
  },
  replay: {
    open: 'Revisar de nuevo el archivo',
    started: 'Se lee de nuevo el archivo. No se cambia nada.',
  },

  runs: {
    title: 'Ejecuciones',
    table: 'Ejecuciones de este feed, las más recientes primero',
    show: 'Mostrar',
    previews: 'Vistas previas',
    state: 'Estado',
    result: 'Resultado',
    run: 'Ejecución',
    rows: 'Filas',
    empty: 'Todavía no hay ejecuciones',
    emptyHint: 'Inicie una o espere a la programación.',
    emptyUploadHint: 'Cada archivo que suba inicia una. Antes puede ver lo que haría.',
    noPreviews: 'Todavía no hay vistas previas',
    noPreviewsHint: 'Una vista previa muestra lo que haría un archivo y no cambia nada.',
  },
  rows: {
    title: 'Filas',
    table: 'Filas de esta ejecución',
    unchanged: (count) =>
      `${rows(count)} sin cambios: solo se ${choose(count, 'cuenta', 'cuentan')}, no se ${choose(count, 'muestra', 'muestran')}.`,
    filter: 'Resultado',
    all: 'Todos',
    row: 'Fila',
    missing: 'No está en el archivo',
    outcome: 'Resultado',
    what: 'Detalles',
    changed: (fields) => `Cambios: ${fields}`,
    kept: (fields) =>
      `Sin cambios: ${fields}. En usuarios con un rol, solo un administrador puede cambiarlo.`,
    empty: 'No hay filas',
    emptyHint: { did: 'Esta ejecución no cambió nada.', would: 'Esta ejecución no cambiaría nada.' },
    download: 'Descargar filas',
    downloading: (count) => `${formatNumber(count)} leídas…`,
    downloadName: (feed, id) => `filas-${feed}-${id}.csv`,
    cannotDownload: 'No se han podido leer las filas',
    heads: ['Fila', 'Número de empleado', 'Resultado', 'Campos cambiados', 'Error', 'Motivo'],
    problems: {
      FEED_DOES_NOT_CREATE: 'Es nuevo. Este feed no crea usuarios.',
      FEED_DOES_NOT_UPDATE: 'Difiere del archivo. Este feed no cambia usuarios.',
      FEED_OUT_OF_SCOPE: 'Pertenece a una organización de la que no se encarga este feed.',
      FEED_OF_OTHER: 'Pertenece a otro feed.',
    },
  },

  usual: {
    title: 'Lo habitual',
    rows: 'Filas por archivo',
    changes: 'Cambios por ejecución',
    run: 'Ejecución',
    keys: 'Use las flechas para pasar de una ejecución a otra e Intro para abrir una.',
    waits: 'Espera aprobación',
    rowsSummary: (count, least, most) =>
      `${pastRuns(count)}: archivos de ${formatNumber(least)} a ${formatNumber(most)} filas.`,
    changesSummary: (count, most) => `${pastRuns(count)}: como máximo ${plural(most, 'cambio', 'cambios')}.`,
    marked: (value) => `La ejecución que espera tiene ${formatNumber(value)}.`,
    other: 'Otros cambios',
    created: 'Creados o recontratados',
    deactivated: 'Desactivados',
  },

  findings: {
    seenBefore: (day) =>
      `Es otra vez el archivo del ${day}. Desde entonces se han leído archivos más recientes.`,
    reverted: (count, of) =>
      `${formatNumber(count)} de ${users(of)} recuperarían valores que se sustituyeron hace poco. Puede que el archivo sea antiguo.`,
    rows: (count) => `El archivo tiene ${rows(count)}.`,
    rowsLast: (count) => `El último tenía ${formatNumber(count)}.`,
    rowsAtLeast: (count) => `Se esperaban al menos ${formatNumber(count)}.`,
    rowsAtMost: (count) => `Se esperaban como máximo ${formatNumber(count)}.`,
    counts: {
      DEACTIVATIONS: (count, share, of) =>
        `Se ${choose(count, 'desactivaría', 'desactivarían')} ${users(count)} (${share} de ${formatNumber(of)}).`,
      REACTIVATIONS: (count, share, of) =>
        `Se ${choose(count, 'reactivaría', 'reactivarían')} ${users(count)} (${share} de ${formatNumber(of)}).`,
      RENAMES: (count, share, of) =>
        `${users(count)} ${choose(count, 'recibiría', 'recibirían')} otro número de empleado (${share} de ${formatNumber(of)}).`,
      CREATES: (count, share, of) =>
        `Se ${choose(count, 'crearía', 'crearían')} ${users(count)} (${share} de ${formatNumber(of)}).`,
      FAILURES: (count, share, of) =>
        `${choose(count, 'Fallaría', 'Fallarían')} ${rows(count)} (${share} de ${formatNumber(of)}).`,
      WITHDRAWALS: (count, _share, of) =>
        `El archivo ya no contiene ${formatNumber(count)} de ${plural(of, 'cambio planificado', 'cambios planificados')}.`,
    },
    fields: {
      FIELD_CHANGES: (field, share, count, of) =>
        `${field} cambiaría en el ${share} de los usuarios (${formatNumber(count)} de ${formatNumber(of)}).`,
      FIELD_EMPTIED: (field, share, count, of) =>
        `${field} quedaría vacío en el ${share} de los usuarios (${formatNumber(count)} de ${formatNumber(of)}).`,
    },
    columns: {
      FIELD_CHANGES: (column) => `Puede que se haya desplazado la ${column}.`,
      FIELD_EMPTIED: (column) => `Revise la ${column}.`,
    },
    column: (place) => `columna ${formatNumber(place)}`,
    columnNamed: (place, heading) => `columna ${formatNumber(place)} («${heading}»)`,
    moved: (fields, share) =>
      `${fields} cambiarían a la vez en al menos el ${share} de los usuarios. Puede que se hayan desplazado las columnas del archivo.`,
    changedSince: 'Los usuarios han cambiado desde que se aprobó la ejecución, y ahora haría mucho más.',
    missing: (count) =>
      `${formatNumber(count)} de ellos ${choose(count, 'no está', 'no están')} en el archivo.`,
    missingAll: (count) => choose(count, 'No está en el archivo.', 'No están en el archivo.'),
    firstRun: 'Una primera ejecución solo desactiva usuarios con aprobación.',
    usual: (usual, highest) => `Lo habitual es ${usual}, hasta ahora como máximo ${highest}.`,
    usuallyNone: 'Lo habitual es ninguno.',
    limit: (limit) => `El límite es ${formatNumber(limit)}.`,
    limitSet: (limit) => `El límite de los ajustes es ${formatNumber(limit)}.`,
    lessThan: (share) => `menos del ${share}`,
  },

  problems: {
    columnMissing: (heading, field) =>
      `El archivo no tiene la columna «${heading}», de la que sale «${field}».`,
    columnNearest: (heading) => `El encabezado más parecido es «${heading}».`,
    columnAmbiguous: (heading, count) =>
      `${formatNumber(count)} columnas del archivo se llaman «${heading}».`,
    columnsNext: 'Haga corregir la exportación o cambie las columnas en los ajustes.',
    tooLarge: (size) => `El archivo ocupa más de ${size}. Haga exportar uno más pequeño.`,
    namesUnknown: (count) =>
      `El archivo nombra ${plural(count, 'organización o etiqueta', 'organizaciones o etiquetas')} que Rollcall no conoce. Importe el archivo una vez: la importación las muestra y pregunta qué significan, y los feeds lo recuerdan. O cambie en los ajustes la regla para nombres desconocidos.`,
    idsUnreadable: (count) =>
      `${rows(count)} no ${choose(count, 'tiene', 'tienen')} un número de empleado legible, así que no se sabe quién falta en el archivo. Haga corregir la exportación.`,
    rowsConcerned: (places) => `Filas afectadas: ${places}.`,
    codes: {
      MAPPING_OUTDATED:
        'Una columna está asignada a un campo que ya no existe. Cambie las columnas en los ajustes.',
      FILE_UNREADABLE:
        'No se puede leer el archivo. Compruebe que esté completo y que sea un archivo CSV, Excel o JSON.',
      FILE_EMPTY: 'El archivo está vacío. Haga que se exporte de nuevo.',
      FILE_GONE: 'El archivo ya no está guardado. Ejecute el feed de nuevo.',
      SOURCE_FILE_MISSING:
        'No había ningún archivo. Compruebe si se hizo la exportación y ejecute el feed de nuevo.',
      SOURCE_IS_UPLOAD: 'Los archivos de este feed se suben a mano. Suba uno para iniciar una ejecución.',
      SECRET_LOST:
        'Ya no se puede leer la contraseña guardada del origen. Escríbala de nuevo en los ajustes.',
      UNDO_INCOMPLETE:
        'Una parte de la ejecución no se ha podido deshacer. Vuelva a intentarlo o deshaga el resto en Actividad.',
      TRIED_TOO_OFTEN: 'La ejecución se interrumpió demasiadas veces. Ejecute el feed de nuevo.',
      MORE_THAN_PLANNED:
        'La ejecución se detuvo porque iba a cambiar más usuarios de lo previsto. Mientras tanto han cambiado usuarios. Ejecute el feed de nuevo.',
    },
    sources: {
      unreachable: 'No se puede acceder al servidor del archivo. Ejecute el feed de nuevo más tarde.',
      refused:
        'El servidor del archivo ha denegado el acceso. Compruebe el nombre de usuario, la contraseña y los permisos.',
      missing: 'No se ha encontrado el archivo o su carpeta en el servidor. Compruebe la ruta.',
      incomplete:
        'El archivo aún se estaba escribiendo o no llegó completo. Ejecute el feed de nuevo más tarde.',
      untrusted:
        'El servidor no ha podido demostrar su identidad. No ejecute el feed de nuevo hasta que un administrador lo haya comprobado.',
      settings: 'Los ajustes del origen están incompletos o no se permiten. Corríjalos.',
      reply: 'El servidor del archivo no ha respondido como se esperaba. Pregunte a su administrador.',
      size: 'Hay demasiados archivos o el archivo es demasiado grande.',
    },
  },

  settings: {
    mapping: 'Columnas',
    mappingTable: 'Qué columnas del archivo rellenan qué campos',
    field: 'Campo',
    column: 'Columna del archivo',
    conversion: 'Conversión',
    fields: { renamedFrom: 'Número de empleado anterior', effectiveDate: 'Surte efecto el' },
    constant: (value) => `Siempre «${value}»`,
    joined: (separator) => `Unidas con «${separator}»`,
    value: (from, to) => `«${from}» significa «${to}»`,
    otherwise: {
      keep: 'Los demás valores quedan como están',
      empty: 'Los demás valores cuentan como vacíos',
      reject: 'Los demás valores son un error',
    },
    more: (count) => `y ${formatNumber(count)} más`,
    padTo: (length) => `Se rellena con ceros hasta ${plural(length, 'carácter', 'caracteres')}`,
    prefix: (prefix) => `Empieza por «${prefix}», que se añade si falta`,
    dateFormat: (format) => `Fechas como ${format}`,
    empty: {
      leaves: 'Las celdas vacías dejan el campo como está.',
      clears: 'Las celdas vacías vacían el campo.',
    },
    rules: 'Reglas',
    creates: 'Se crean las personas nuevas del archivo.',
    createsNot: 'Se omiten las personas nuevas del archivo.',
    updates: 'Los usuarios se cambian según el archivo.',
    updatesNot: 'Los usuarios existentes no se cambian.',
    rehires:
      'Los usuarios inactivos que vuelven a estar en el archivo se recontratan y reciben una contraseña nueva.',
    deactivates:
      'Los usuarios que faltan en el archivo se desactivan, salvo que tengan un rol o pertenezcan a otro feed.',
    deactivatesNot: 'Los usuarios que faltan en el archivo quedan como están.',
    scope: (organizations) => `Solo usuarios de estas organizaciones: ${organizations}.`,
    onConflict: {
      skip: 'Los usuarios de otro feed no se tocan.',
      take: 'Los usuarios de otro feed pasan a este.',
      fail: 'Los usuarios de otro feed se notifican como errores.',
    },
    unknownNames: {
      stop: 'Las organizaciones o etiquetas desconocidas detienen la ejecución.',
      create: 'Se crean las organizaciones y etiquetas desconocidas.',
      leaveOut: 'Se omiten las organizaciones y etiquetas desconocidas.',
    },
    approval: {
      always: 'Todas las ejecuciones esperan aprobación.',
      beyondLimits: 'Las ejecuciones que superan los límites esperan aprobación.',
      never: 'Las ejecuciones que superan los límites se detienen definitivamente.',
    },
    held: 'Las contraseñas de los usuarios nuevos se retienen hasta que alguien las libere.',
    limits: 'Límites',
    learns: 'Rollcall aprende de las ejecuciones anteriores qué es lo habitual.',
    learnsNot: 'Los mismos límites valen para todas las ejecuciones. No se aprende nada de las anteriores.',
    file: (path) => `Archivo: ${path}`,
    limit: {
      rowsMin: 'Filas como mínimo',
      rowsMax: 'Filas como máximo',
      createsMax: 'Usuarios creados como máximo',
      deactivationsMax: 'Usuarios desactivados como máximo',
      reactivationsMax: 'Usuarios reactivados como máximo',
      renamesMax: 'Nuevos números de empleado como máximo',
      failuresMax: 'Filas con errores como máximo',
      withdrawalsMax: 'Cambios planificados retirados como máximo',
      changesMax: 'Usuarios con un cambio del mismo campo como máximo',
      emptiedMax: 'Usuarios que pierden el mismo campo como máximo',
    },
    people: 'A quién se avisa',
    everyone: 'A todos los que quieren avisos sobre feeds.',
    chat: { slack: 'Y a un canal de Slack.', teams: 'Y a un canal de Microsoft Teams.' },
  },
  schedules: {
    none: 'Solo cuando alguien lo inicia',
    daily: (time) => `Todos los días a las ${time}`,
    weekly: (days, time) => `${days} a las ${time}`,
    dayRange: (first, last) => `De ${first} a ${last}`,
    monthly: (day, time) => `El día ${day} de cada mes a las ${time}`,
    hourly: (minute) => `Cada hora, a los ${minute} minutos`,
    other: (cron) => `En momentos especiales (${cron})`,
    zone: (schedule, timeZone) => `${schedule} (${timeZone})`,
    onNewFile: 'Cuando hay un archivo nuevo',
    onNewFileBetween: (from, until) => `Cuando hay un archivo nuevo, entre las ${from} y las ${until}`,
    waitsUntil: (time) => `Si aún no hay archivo, la ejecución lo espera hasta las ${time}.`,
    exceptOn: (days) => `Excepto el ${days}.`,
    exceptDays: (count) => `Excepto ${plural(count, 'día', 'días')} que figuran en los ajustes.`,
  },
  versions: {
    table: 'Versiones de los ajustes, las más recientes primero',
    version: 'Versión',
    at: 'Desde',
    by: 'Por',
    changed: 'Qué cambió',
    first: 'Creado',
    parts: {
      name: 'Nombre',
      source: 'Origen',
      schedule: 'Programación',
      mapping: 'Columnas',
      rules: 'Reglas',
      limits: 'Límites',
      inform: 'A quién se avisa',
    },
    secrets: 'Contraseñas u otros detalles',
    empty: 'Ninguna versión',
  },
};
