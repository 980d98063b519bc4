import type { importCopy as english } from '../en/import.js';
import { formatNumber, formatPercent } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'fila', 'filas');
const invalidRows = (count: number) => plural(count, 'fila no válida', 'filas no válidas');
const activeUsers = (count: number) => plural(count, 'usuario activo', 'usuarios activos');
const listed = new Intl.ListFormat('es', { type: 'conjunction' });

export const importCopy: Translation<typeof english> = {
  title: 'Importar usuarios',
  section: { running: (percent) => formatPercent(percent / 100), done: '✓ Terminado', paused: 'En pausa' },
  stepsLabel: 'Pasos',
  steps: {
    file: 'Archivo',
    columns: 'Columnas',
    names: 'Nombres',
    check: 'Revisión',
    run: 'Ejecución',
    result: 'Resultado',
  },
  next: 'Siguiente',
  back: 'Atrás',
  startOver: 'Importar otro archivo',
  duplicateEmployeeID: (row) => `Este número de empleado aparece también en la fila ${formatNumber(row)}.`,
  contactRequired: 'Se necesita un correo electrónico o un teléfono.',
  nameRequired: 'Falta el nombre. Un usuario nuevo necesita uno.',
  managerNotById: 'La columna debe contener números de empleado, no nombres.',
  safetyLimit: (counts) => {
    const { confirm = 0, removed = 0, deactivated = 0, renamed = 0, cleared = 0 } = counts;
    const { total = 0, limitPercent = 0 } = counts;
    const parts = [
      removed > 0 && plural(removed, 'usuario eliminado', 'usuarios eliminados'),
      deactivated > 0 && plural(deactivated, 'desactivación', 'desactivaciones'),
      renamed > 0 && plural(renamed, 'cambio de número de empleado', 'cambios de número de empleado'),
      cleared > 0 &&
        plural(cleared, 'dato de acceso o contacto vaciado', 'datos de acceso o contacto vaciados'),
    ].filter((part) => part !== false);
    const share = total > 0 ? ` (${formatPercent(confirm / total)})` : '';
    return `Afectaría a ${formatNumber(confirm)} de ${users(total)}${share}: ${listed.format(parts)}. El límite de seguridad es del ${formatPercent(limitPercent / 100)}.`;
  },

  file: {
    heading: 'Elegir un archivo',
    hint: 'Los números de empleado nuevos se crean y los usuarios existentes se actualizan. Sirve cualquier archivo con el número de empleado y al menos otra columna. Los campos sin columna no cambian.',
    limit: (max) => `Hasta ${rows(max)}.`,
    safe: 'Primero se muestra una vista previa. No cambia nada hasta confirmarla.',
    drop: 'Arrastrar aquí un archivo CSV o Excel (.xlsx)',
    choose: 'Elegir archivo',
    pasteLabel: 'O pegar filas de una hoja de cálculo',
    pasteHint: 'Copiar las celdas con sus encabezados, hacer clic aquí y pegar.',
    pasted: 'Filas pegadas',
    template: 'Descargar plantilla en blanco',
    templateName: 'importar-usuarios.csv',
    reading: (name) => `Leyendo ${name}`,
    readSoFar: (count) => `${rows(count)} hasta ahora`,
    cancel: 'Cancelar',
    loaded: (name, count) => `${name}: ${rows(count)}`,
    cannotRead: (name) => `No se pudo leer ${name}`,
    unreadable:
      'El navegador no pudo abrir el archivo. Hay que comprobar que no se haya movido ni cambiado de nombre, y volver a elegirlo.',
  },

  columns: {
    heading: 'Asignar columnas',
    hint: 'Las columnas se asignan por sus encabezados. Se pueden corregir las que no sean correctas.',
    letter: 'Columna',
    inFile: 'En el archivo',
    examples: 'Primeros valores',
    field: 'Campo',
    fieldFor: (heading) => `Campo para «${heading}»`,
    skipped: 'Omitir esta columna',
    skippedColumns: (count, names) =>
      `${choose(count, 'Se omite', 'Se omiten')} ${plural(count, 'columna', 'columnas')}: ${names}`,
    takeAs: (field) => `Usar como ${field}`,
    takeAsFor: (field, heading) => `Usar como ${field}: «${heading}»`,
    managerEmployeeID: 'Responsable (número de empleado)',
    addAttribute: 'Añadir como atributo…',
    addAttributeFor: (heading) => `Añadir como atributo: «${heading}»`,
    attributesHint:
      'Las columnas sin campo pueden convertirse en atributos, que los administradores añaden en Configuración.',
    noExample: 'vacío',
    list: 'Columnas del archivo',
    nameOrder: (parts) => `Los nombres se combinan así: ${parts}`,
    swapName: 'Cambiar el orden',
    emptyLabel: 'Celdas vacías',
    emptyLeaves: 'Conservar el valor actual',
    emptyClears: 'Vaciar el campo',
    emptyHint: 'El número de empleado, el nombre y Activo nunca se vacían.',
    missingLabel: 'Desactivar a los usuarios que no están en este archivo',
    missingHint:
      'Solo para archivos que incluyen a todo el personal. Antes de que cambie nada se muestra quiénes son; ni la propia cuenta ni las cuentas con un rol se desactivan. Los usuarios del archivo quedan activos, salvo que una columna indique otra cosa.',
    readOptions: 'Formato del archivo',
    separator: 'Separador',
    separators: { ',': 'Coma (,)', ';': 'Punto y coma (;)', '\t': 'Tabulador', '|': 'Barra vertical (|)' },
    encoding: 'Codificación',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16',
      'utf-16be': 'UTF-16 (big-endian)',
      'windows-1252': 'Europa occidental (Windows)',
    },
    sheet: 'Hoja',
    headingRow: 'Fila de encabezados',
    needed: 'Antes de continuar',
    idMissing: 'Hay que elegir la columna que contiene el número de empleado.',
    onlyID: 'Hay que elegir un campo para al menos otra columna.',
    nothingMapped: 'No se reconoció ningún encabezado. Hay que elegir un campo para cada columna.',
    notJoined: (field) => `${field} está asignado a varias columnas. Hay que elegir una.`,
    and: ' y ',
  },

  names: {
    heading: 'Asignar nombres',
    hint: 'Estas organizaciones y etiquetas del archivo no están en el directorio, o varias se llaman así. Decida qué significa cada nombre. Si omite una organización, los usuarios conservan la que tienen; una etiqueta omitida no se tiene en cuenta. Rollcall recuerda las decisiones para el siguiente archivo.',
    strict: 'Añada antes las organizaciones y etiquetas nuevas en «Organizaciones» y «Etiquetas».',
    rows: (count, first) =>
      count === 1
        ? `Fila ${formatNumber(first)}.`
        : `${rows(count)}; la primera es la fila ${formatNumber(first)}.`,
    ambiguous: 'Varias se llaman así.',
    meaning: (name) => `Significado de «${name}»`,
    choose: 'Elegir…',
    proposed: 'Sugerencia: solo cambia la ortografía.',
    use: (entry) => `Usar ${entry}`,
    useOther: 'Usar otra…',
    useExisting: 'Usar una existente…',
    existing: { organizations: 'Organización existente', tags: 'Etiqueta existente' },
    create: { organizations: 'Crear una organización nueva', tags: 'Crear una etiqueta nueva' },
    leaveOut: 'Omitir',
    createAll: (count) => `Crear las ${formatNumber(count)}`,
    leaveOutAll: (count) => `Omitir las ${formatNumber(count)}`,
    recognized: 'Reconocidas por otro nombre',
    decidedBefore: (entry) => `${entry}, como se decidió antes`,
    leftOutBefore: 'Omitida, como se decidió antes',
    former: (entry) => `${entry}, que antes se llamaba así`,
    showMore: (count) => `Mostrar ${formatNumber(count)} más`,
    left: (count) =>
      count === 0
        ? 'Todos los nombres están asignados.'
        : choose(count, 'Falta 1 nombre por asignar.', `Faltan ${formatNumber(count)} nombres por asignar.`),
    failed: 'No se pudieron buscar las organizaciones y etiquetas',
  },

  check: {
    heading: 'Revisar los cambios',
    editHint:
      'Para editar una celda, hacer clic en ella, o ir a ella con las flechas y pulsar Intro. Para buscar y reemplazar, hacer clic en un encabezado. Para ver qué cambia una fila u omitirla (Supr), hacer clic en su número. El archivo no se modifica.',
    leaveOutRow: 'Omitir esta fila',
    leftOutRows: (count) => `${rows(count)} ${choose(count, 'omitida', 'omitidas')}.`,
    takeBackRows: 'Volver a incluir',
    onlyProblemColumns: 'Solo columnas con problemas',
    undoEdit: (heading, count) =>
      choose(
        count,
        `Deshacer el cambio en «${heading}»`,
        `Deshacer el cambio de ${rows(count)} en «${heading}»`,
      ),
    edited: (row, state, problem) => `Fila ${formatNumber(row)}: ${state}. ${problem}`.trim(),
    user: (name, employeeID) => `${name} (${employeeID})`,
    use: (text) => `Usar ${text}`,
    inNewTab: 'Se abre en otra pestaña',
    reading: 'Comprobando las filas',
    listing: (count) => `Buscando usuarios que no están en el archivo: ${users(count)} hasta ahora`,
    previewing: (done, all) => `Comprobación: ${formatNumber(done)} de ${rows(all)}`,
    stopped: 'No se pudieron comprobar las filas',
    checked: 'Se han comprobado todas las filas. Aún no se ha cambiado nada.',
    filter: 'Filtrar por cambio',
    counts: {
      all: 'Todos',
      toReview: 'Por revisar',
      created: 'Nuevos',
      updated: 'Modificados',
      renamed: 'Número de empleado nuevo',
      deactivated: 'Desactivados',
      reactivated: 'Reactivados',
      unchanged: 'Sin cambios',
      invalid: 'No válidos',
      waiting: 'Sin comprobar',
      warnings: 'Con advertencias',
    },
    nothing: 'Ninguna fila',
    table: 'Filas y sus cambios',
    number: 'Fila',
    notInFile: 'No está en el archivo',
    state: 'Cambio',
    states: {
      created: 'Nuevo',
      updated: 'Modificado',
      renamed: 'Número nuevo',
      deactivated: 'Desactivado',
      reactivated: 'Reactivado',
      unchanged: 'Sin cambios',
      invalid: 'No válido',
      waiting: '…',
    },
    details: (row) => `Detalles de la fila ${formatNumber(row)}`,
    detailsOf: (employeeID) => `Detalles de ${employeeID}`,
    cellPrefix: (heading, row) => `${heading}, fila ${formatNumber(row)}:`,
    editLabel: (heading, row) => `${heading}, fila ${formatNumber(row)}`,
    empty: 'vacío',
    inFile: 'En el archivo:',
    was: 'antes',
    becomes: 'ahora',
    keepActive: 'Mantener activo',
    keepActiveLabel: (name) => `Mantener activo: ${name}`,
    notInFileColumn: 'No está en el archivo',
    kept: (count) =>
      choose(
        count,
        '1 usuario que no está en el archivo seguirá activo.',
        `${users(count)} que no están en el archivo seguirán activos.`,
      ),
    sparedRoles: (count) =>
      choose(
        count,
        '1 usuario que no está en el archivo seguirá activo porque tiene un rol.',
        `${users(count)} que no están en el archivo seguirán activos porque tienen un rol.`,
      ),
    keepNobody: 'Desactivar de todos modos',
    invalidHint: (count) =>
      choose(
        count,
        '1 fila no es válida y se omitirá. Se puede corregir aquí o descargar.',
        `${rows(count)} no son válidas y se omitirán. Se pueden corregir aquí o descargar.`,
      ),
    acrossChunks: (count, perChunk) =>
      `Las filas se envían en ${formatNumber(count)} partes de hasta ${rows(perChunk)}. La comprobación de cada parte no tiene en cuenta las anteriores. Las filas que usan un número de empleado de una parte anterior pueden aparecer aquí como no válidas y, aun así, completarse.`,
    safetyLimit: 'Se pedirá confirmación',
    lostZeros: (from, to, count) =>
      choose(
        count,
        `¿Ha quitado una hoja de cálculo los ceros iniciales? Existe el usuario ${to}, pero el archivo contiene ${from}.`,
        `¿Ha quitado una hoja de cálculo los ceros iniciales? En ${rows(count)}, como ${from}, existe un usuario con ceros: ${to}.`,
      ),
    lostZerosFix: (from, to, count) =>
      choose(count, `Cambiar ${from} → ${to}`, `Cambiar ${from} → ${to} en ${rows(count)}`),
    sameText: (heading, from, count) =>
      choose(
        count,
        `Otra fila contiene «${from}» en ${heading}.`,
        `Otras ${rows(count)} contienen «${from}» en ${heading}.`,
      ),
    sameTextFix: (from, to, count) =>
      choose(
        count,
        `Cambiar «${from}» → «${to}» también en ella`,
        `Cambiar «${from}» → «${to}» en las ${rows(count)}`,
      ),
    dismiss: 'No',
    missing: (missing, active, percent) =>
      `${formatNumber(missing)} de ${activeUsers(active)} (${percent}\u00a0%) no ${choose(missing, 'está en este archivo y se desactivará', 'están en este archivo y se desactivarán')}.`,
    tooManyMissing: (missing, active, percent, max) =>
      `${formatNumber(missing)} de ${activeUsers(active)} (${percent}\u00a0%) no ${choose(missing, 'está', 'están')} en este archivo, pero se puede desactivar como máximo el ${formatNumber(max)}\u00a0%. ¿Está completo el archivo?`,
    tooManyMissingTitle: 'Faltan demasiados usuarios',
    percentLabel: 'Desactivar como máximo (%)',
    raise: (percent) => `Permitir el ${formatNumber(percent)}\u00a0%`,
    unreadableIDs: (count) =>
      choose(
        count,
        '1 fila no tiene un número de empleado válido, así que no se puede saber quién falta. Antes hay que corregirla.',
        `${rows(count)} no tienen un número de empleado válido, así que no se puede saber quién falta. Antes hay que corregirlas.`,
      ),
    options: 'Opciones',
    deliver: 'Contraseñas',
    deliverHint: (count) =>
      `${users(count)} ${choose(count, 'recibirá', 'recibirán')} una contraseña por correo electrónico o, si no lo hay, por SMS. Se genera una salvo que el archivo la incluya.`,
    deliverNow: 'Enviar ahora',
    deliverHold: 'Retener hasta que un administrador las libere',
    when: 'Cuándo',
    now: 'Ejecutar ahora',
    onDate: 'Ejecutar en una fecha',
    approval: 'Solicitar aprobación',
    day: 'Fecha',
    dayHint: 'Al comenzar ese día, en la zona horaria del servicio.',
    notBefore: 'No antes de (opcional)',
    planHint:
      'La importación hace lo que se muestra aquí. Las filas cuyo resultado haya cambiado para entonces se omiten y se indican.',
    approvalHint: 'Debe aprobarla otra persona con permiso para modificar usuarios.',
    planTooLarge: (max) =>
      `Solo se pueden programar importaciones de hasta ${rows(max)}, porque deben ser un solo cambio masivo. Hay que dividir el archivo.`,
    note: 'Nota (opcional)',
    noteHint: 'Se muestra con esta importación en Actividad.',
    run: {
      now: (count) => `Importar ${users(count)}…`,
      date: (count) => `Programar para ${users(count)}…`,
      approval: (count) => `Solicitar aprobación para ${users(count)}…`,
    },
    nothingToRun: 'Nada que modificar',
    otherTab: 'Hay una importación en curso en otra pestaña',
    otherTabHint:
      'Dos importaciones a la vez pueden interferir entre sí. Se puede esperar a que termine la otra o iniciar esta de todos modos.',
    runAnyway: 'Iniciar de todos modos',
  },

  invalid: {
    download: (count) => `Descargar ${invalidRows(count)}`,
    asWorkbook: 'Libro de Excel (.xlsx)',
    asCsv: (separator, encoding) => `CSV: ${separator}, ${encoding}`,
    hint: 'La columna «Problema» del archivo descargado indica qué corregir. Después se puede importar.',
    fileName: (file) => `no-validas-${file.replace(/\.[^.]*$/, '')}`,
    problemColumn: 'Problema',
  },

  run: {
    heading: { running: 'En curso', stopping: 'Deteniendo', paused: 'En pausa', ended: 'Terminado' },
    progress: 'Progreso',
    sent: (done, all) => `${formatNumber(done)} de ${rows(all)}`,
    succeeded: 'correctas',
    failed: 'con error',
    rate: (perSecond) => `${rows(perSecond)} por segundo`,
    sending: (count) => `Enviando ${rows(count)}.`,
    stop: 'Detener después de esta parte',
    stopHint: 'Los cambios completados se conservan y se pueden deshacer.',
    notify: 'Avisar al terminar',
    notifyOn: 'Se mostrará una notificación al terminar.',
    notifyOff: 'El navegador bloquea las notificaciones de este sitio.',
    announceDone: (file) => `Importación terminada: ${file}`,
    announcePaused: 'La importación requiere atención.',
    resume: 'Continuar',
    end: 'Terminar y ver el resultado',
    paused: {
      failed: 'No se pudo continuar',
      interrupted: 'El servicio se detuvo a mitad de camino',
      stopped: 'Importación detenida',
      session: 'La sesión ha finalizado',
      safetyLimit: 'Confirmar estos cambios',
    },
    nothingTwice: 'Los cambios completados se conservan y no se repetirán.',
    stoppedHint: (count) => `${rows(count)} sin enviar.`,
    sessionHint: 'Para continuar, hay que volver a iniciar sesión.',
    confirm: (count) => `Modificar ${users(count)}`,
    nothingDone: 'Aún no se ha cambiado nada de esta parte.',
    keepOpen: 'Esta pestaña debe permanecer abierta hasta el final.',
    leaving: {
      title: '¿Salir de esta página?',
      hint: 'La importación continúa mientras esta pestaña siga abierta. Si hace falta intervenir, espera al regreso.',
      stay: 'Quedarse',
      leave: 'Salir de la página',
    },
  },

  result: {
    heading: 'Resultado',
    allDone: (count) => `Importación completada: ${users(count)}.`,
    filter: 'Filtrar por resultado',
    counts: {
      all: 'Todos',
      created: 'Nuevos',
      updated: 'Modificados',
      renamed: 'Número de empleado nuevo',
      deactivated: 'Desactivados',
      reactivated: 'Reactivados',
      planned: 'Programados',
      unchanged: 'Sin cambios',
      invalid: 'No válidos',
      undone: 'Deshechos',
      unknown: 'Sin confirmar',
      notSent: 'Sin enviar',
    },
    states: {
      created: 'Nuevo',
      updated: 'Modificado',
      renamed: 'Número nuevo',
      deactivated: 'Desactivado',
      reactivated: 'Reactivado',
      planned: 'Programado',
      unchanged: 'Sin cambios',
      invalid: 'No válido',
      undone: 'Deshecho',
      unknown: 'Sin confirmar',
      notSent: 'Sin enviar',
    },
    unknownHint: (count) =>
      choose(
        count,
        'El servicio no confirmó 1 fila. Conviene volver a comprobarla: si se aplicó, aparece sin cambios o con un número de empleado ya ocupado.',
        `El servicio no confirmó ${rows(count)}. Conviene volver a comprobarlas: las que se aplicaron aparecen sin cambios o con un número de empleado ya ocupado.`,
      ),
    table: 'Filas y sus resultados',
    state: 'Resultado',
    nothing: 'Ninguna fila',
    fix: (count) => `Corregir aquí ${invalidRows(count)}`,
    runRest: (count) => `Continuar con ${choose(count, 'la fila restante', `las ${rows(count)} restantes`)}`,
    runAgain: 'Volver a ejecutar las filas deshechas',
    undo: 'Deshacer esta importación',
    calls: 'Partes',
    call: (number, succeeded, failed) =>
      `Parte ${formatNumber(number)}: ${plural(succeeded, 'correcta', 'correctas')}, ${formatNumber(failed)} con error`,
    plannedCall: (number, planned, failed) =>
      `Parte ${formatNumber(number)}: ${plural(planned, 'programada', 'programadas')}, ${formatNumber(failed)} con error`,
    plannedTitle: {
      now: 'Pendiente de aprobación',
      date: (day) => `Programado para el ${day}`,
      approval: 'Pendiente de aprobación',
      approvalFrom: (day) => `Pendiente de aprobación; después, el ${day}`,
    },
    plannedHint: {
      now: (count) =>
        choose(
          count,
          '1 fila supera el límite de seguridad, así que otra persona debe aprobarla. En ella aún no ha cambiado nada.',
          `${rows(count)} superan el límite de seguridad, así que otra persona debe aprobarlas. En ellas aún no ha cambiado nada.`,
        ),
      date: (count) =>
        choose(
          count,
          'Aún no ha cambiado nada. 1 fila se aplicará ese día, tal como se ha revisado.',
          `Aún no ha cambiado nada. ${rows(count)} se aplicarán ese día, tal como se han revisado.`,
        ),
      approval: (count) =>
        choose(
          count,
          'Aún no ha cambiado nada. 1 fila se aplicará cuando otra persona la apruebe.',
          `Aún no ha cambiado nada. ${rows(count)} se aplicarán cuando otra persona las apruebe.`,
        ),
    },
    plannedView: 'Ver el cambio programado',
    undone: (part) => `${part} (deshecha)`,
    inActivity: 'Ver en Actividad',
  },
};
