import type { bulkCopy as english } from '../en/bulk.js';
import { formatNumber, formatPercent } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'fila', 'filas');
const listed = new Intl.ListFormat('es', { type: 'conjunction' });

export const bulkCopy: Translation<typeof english> = {
  title: { update: 'Actualizar usuarios desde un archivo', create: 'Crear usuarios desde un archivo' },
  stepsLabel: 'Pasos',
  steps: { file: 'Archivo', columns: 'Columnas', check: 'Revisión', run: 'Ejecución', result: 'Resultado' },
  next: 'Siguiente',
  back: 'Atrás',
  startOver: 'Subir otro archivo',
  duplicateEmployeeID: (row) =>
    `Este número de empleado aparece también en la fila ${formatNumber(row)}. Ambas filas se aplican en orden.`,
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
    heading: 'Subir un archivo',
    hint: {
      update:
        'Una fila por usuario, que se identifica por el número de empleado. Nombre y Activo son obligatorios. Cada una de las demás columnas actualiza el campo asignado.',
      create:
        'Una fila por usuario nuevo. Son obligatorios el número de empleado, el nombre, Activo y un correo electrónico o teléfono.',
    },
    limit: (max) => `Hasta ${rows(max)}.`,
    drop: 'Arrastrar aquí un archivo CSV o Excel (.xlsx)',
    choose: 'Elegir archivo',
    pasteLabel: 'O pegar filas de una hoja de cálculo',
    pasteHint: 'Copiar las celdas con sus encabezados, hacer clic aquí y pegar.',
    pasted: 'Filas pegadas',
    template: 'Descargar plantilla en blanco',
    templateName: { update: 'actualizar-usuarios.csv', create: 'crear-usuarios.csv' },
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
    fieldFor: (heading) => `Campo para «${heading}»`,
    skipped: 'Omitir esta columna',
    noExample: 'vacío',
    list: 'Columnas del archivo',
    nameOrder: (parts) => `Los nombres se combinan así: ${parts}`,
    swapName: 'Cambiar el orden',
    unknown: (headings) => `Omitidas porque no corresponden a ningún campo: ${headings}.`,
    emptyLabel: 'Celdas vacías',
    emptyLeaves: 'Conservar el valor actual',
    emptyClears: 'Vaciar el campo',
    emptyHint: 'El número de empleado, el nombre y Activo nunca se vacían.',
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
    missing: (fields, kind) =>
      `${kind === 'update' ? 'Para actualizar' : 'Para crear usuarios'} se necesita: ${fields}. Hay que elegir la columna correspondiente.`,
    contactMissing:
      'Los usuarios nuevos necesitan un correo electrónico o un teléfono. Hay que elegir la columna correspondiente.',
    nothingMapped: 'No se reconoció ningún encabezado. Hay que elegir un campo para cada columna.',
    notJoined: (field) => `${field} está asignado a varias columnas. Hay que elegir una.`,
    and: ' y ',
  },

  check: {
    heading: 'Revisar los cambios',
    editHint:
      'Para editar una celda, hacer clic en ella, o seleccionarla y pulsar Intro. El archivo no se modifica.',
    reading: 'Comprobando las filas',
    previewing: (done, all) => `Vista previa de ${formatNumber(done)} de ${rows(all)}`,
    stopped: 'No se pudo obtener la vista previa',
    checked: 'Se han comprobado todas las filas. Aún no se ha cambiado nada.',
    counts: {
      changes: { update: 'por actualizar', create: 'por crear' },
      renames: 'con número de empleado nuevo',
      deactivates: 'por desactivar',
      unchanged: 'sin cambios',
      error: 'con errores',
      waiting: 'sin comprobar',
    },
    show: 'Mostrar',
    filters: { all: 'Todas', problems: 'Problemas', changes: 'Cambios' },
    nothing: { all: 'No quedan filas', problems: 'Sin problemas', changes: 'Sin cambios' },
    table: 'Filas y sus cambios',
    number: 'Fila',
    state: 'Cambio',
    states: {
      error: 'Error',
      waiting: '…',
      unchanged: 'Sin cambios',
      created: 'Crear',
      updated: 'Actualizar',
      renamed: 'Número nuevo',
      deactivated: 'Desactivar',
    },
    cellPrefix: (heading, row) => `${heading}, fila ${formatNumber(row)}:`,
    editLabel: (heading, row) => `${heading}, fila ${formatNumber(row)}`,
    empty: 'vacío',
    was: 'antes',
    becomes: 'ahora',
    errorsSkipped: (count) =>
      choose(
        count,
        '1 fila tiene un error y se omitirá. Se puede corregir aquí o descargar al terminar.',
        `${rows(count)} tienen errores y se omitirán. Se pueden corregir aquí o descargar al terminar.`,
      ),
    acrossChunks: (count, perChunk) =>
      `Las filas se envían en ${formatNumber(count)} partes de hasta ${rows(perChunk)}. La vista previa de cada parte no tiene en cuenta las anteriores. Las filas que usan un número de empleado de una parte anterior pueden mostrar aquí un error y, aun así, completarse.`,
    safetyLimit: 'Se pedirá confirmación',
    deliver: 'Contraseñas',
    deliverHint: (count) =>
      `${users(count)} ${choose(count, 'recibirá', 'recibirán')} una contraseña por correo electrónico o, si no lo hay, por SMS. Se genera una salvo que el archivo la incluya.`,
    deliverNow: 'Enviar ahora',
    deliverHold: 'Retener hasta que un administrador las libere',
    run: {
      update: (count) => `Actualizar ${users(count)}`,
      create: (count) => `Crear ${users(count)}`,
    },
    otherTab: 'Hay una importación en curso en otra pestaña',
    otherTabHint:
      'Dos importaciones a la vez pueden interferir entre sí. Se puede esperar a que termine la otra o iniciar esta de todos modos.',
    runAnyway: 'Iniciar de todos modos',
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
    resume: 'Continuar',
    end: 'Terminar y ver el resultado',
    paused: {
      failed: 'No se pudo continuar',
      interrupted: 'El servicio se detuvo a mitad de camino',
      stopped: 'Importación detenida',
      session: 'La sesión ha caducado',
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
    allDone: (count) =>
      choose(count, '1 fila se completó correctamente.', `Las ${rows(count)} se completaron correctamente.`),
    counts: {
      done: 'correctas',
      failed: 'con error',
      planned: 'pendientes de aprobación',
      undone: 'deshechas',
      unknown: 'sin confirmar',
      notSent: 'sin enviar',
    },
    filters: {
      all: 'Todas',
      failed: 'Con error',
      done: 'Correctas',
      planned: 'Pendientes de aprobación',
      undone: 'Deshechas',
      unknown: 'Sin confirmar',
      notSent: 'Sin enviar',
    },
    states: {
      done: 'Correcta',
      failed: 'Con error',
      planned: 'Pendiente',
      undone: 'Deshecha',
      unknown: 'Sin confirmar',
      notSent: 'Sin enviar',
    },
    unknownHint: (count) =>
      `El servicio no confirmó ${rows(count)}. Conviene volver a comprobarlas: las que se aplicaron aparecen sin cambios o con un número de empleado ya ocupado.`,
    table: 'Filas y sus resultados',
    state: 'Resultado',
    nothing: 'Sin resultados',
    download: (count) => `Descargar ${plural(count, 'fila con error', 'filas con error')}`,
    downloadHint:
      'Se descarga un archivo CSV con una columna «Problema». Se pueden corregir las filas y volver a subirlo.',
    downloadName: (file) => `con-error-${file.replace(/\.[^.]*$/, '')}.csv`,
    problemColumn: 'Problema',
    fix: 'Corregir aquí',
    runRest: (count) => `Continuar con ${choose(count, 'la fila restante', `las ${rows(count)} restantes`)}`,
    runAgain: 'Volver a ejecutar las filas deshechas',
    undo: 'Deshacer todos los cambios',
    calls: 'Partes',
    call: (number, succeeded, failed) =>
      `Parte ${formatNumber(number)}: ${formatNumber(succeeded)} correctas, ${formatNumber(failed)} con error`,
    plannedCall: (number, planned, failed) =>
      `Parte ${formatNumber(number)}: ${formatNumber(planned)} pendientes de aprobación, ${formatNumber(failed)} con error`,
    plannedTitle: 'Pendiente de aprobación',
    plannedHint: (count) =>
      choose(
        count,
        '1 fila supera el límite de seguridad, así que otra persona debe aprobarla. Aún no ha cambiado nada.',
        `${rows(count)} superan el límite de seguridad, así que otra persona debe aprobarlas. Aún no ha cambiado nada.`,
      ),
    undone: 'deshecha',
    inActivity: 'Ver en Actividad',
  },
};
