import type { usersListCopy as english } from '../en/users-list.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const usersListCopy: Translation<typeof english> = {
  columns: {
    hint: 'Se recuerdan en este navegador.',
  },

  select: {
    column: 'Selección',
    user: (name) => `Seleccionar a ${name}`,
    all: 'Seleccionar todos los usuarios de esta lista',
    bar: 'Usuarios seleccionados',
    count: (count) => plural(count, 'usuario seleccionado', 'usuarios seleccionados'),
    allMatching: (count) =>
      count === undefined
        ? 'Seleccionados todos los usuarios que coinciden'
        : choose(
            count,
            'Seleccionado el único usuario de esta lista',
            `Seleccionados los ${users(count)} de esta lista`,
          ),
    selectAll: (count) =>
      count === undefined
        ? 'Seleccionar todos los que coinciden'
        : `Seleccionar todos (${formatNumber(count)})`,
    clear: 'Quitar la selección',
    more: 'Más acciones',
    actions: 'Acciones',
    tooMany: (max) =>
      `Se pueden seleccionar hasta ${users(max)} uno por uno. Para modificar más, hay que filtrar la lista y seleccionar todos.`,
    needsFilter: 'Para modificar todos estos usuarios, antes hay que filtrar la lista.',
    oneByOneOnly: (max) => `Disponible para ${users(max)} como máximo.`,
    failed: 'No se pudieron seleccionar estos usuarios',
  },

  actions: {
    activate: 'Activar…',
    deactivate: 'Desactivar…',
    addTag: 'Añadir etiqueta…',
    removeTag: 'Quitar etiqueta…',
    setOrganization: 'Asignar organización…',
    clearOrganization: 'Quitar organización…',
    setManager: 'Asignar responsable…',
    clearManager: 'Quitar responsable…',
    setAttribute: 'Asignar atributo…',
    clearAttribute: 'Vaciar atributo…',
    export: 'Exportar…',
    resetPasswords: 'Restablecer contraseñas…',
    resendMessages: 'Reenviar mensajes…',
  },

  change: {
    titles: {
      addTag: 'Añadir una etiqueta',
      removeTag: 'Quitar una etiqueta',
      setOrganization: 'Asignar la organización',
      clearOrganization: 'Quitar la organización',
      setManager: 'Asignar el responsable',
      clearManager: 'Quitar el responsable',
      setAttribute: 'Asignar un atributo',
      clearAttribute: 'Vaciar un atributo',
      activate: 'Activar usuarios',
      deactivate: 'Desactivar usuarios',
    },
    selected: (count) => `${plural(count, 'usuario seleccionado', 'usuarios seleccionados')} en la lista.`,
  },

  plan: {
    when: 'Cuándo',
    now: 'Ahora',
    later: 'En una fecha',
    day: 'Fecha',
    dayHint: 'Se ejecuta al comenzar ese día.',
    at: (time) => `Se ejecuta el ${time}.`,
    approval: 'Solicitar la aprobación de otra persona',
    approvalHint: 'No cambia nada hasta que otro usuario con permiso lo apruebe.',
    note: 'Motivo (opcional)',
    noteHint: 'El motivo del cambio. Lo ve quien lo aprueba y aparece en Actividad.',
    confirm: (count) => `Programar para ${users(count)}`,
    request: (count) => `Solicitar aprobación para ${users(count)}`,
    plannedTitle: 'Programado',
    planned: (day) => `El cambio se hará el ${day}.`,
    plannedWithApproval: (day) => `Si otra persona lo aprueba, el cambio se hará el ${day}.`,
    requested: 'Otra persona debe aprobar el cambio.',
    nothingYet: 'Aún no ha cambiado nada.',
    view: 'Ver el cambio programado',
  },

  export: {
    open: 'Exportar',
    title: 'Exportar usuarios',
    list: (count) =>
      count === undefined ? 'Todos los usuarios de esta lista.' : `${users(count)}, en el orden de la lista.`,
    selected: (count) => `${users(count)}, en el orden de selección.`,
    columns: (names) => `Columnas: ${names.join(', ')}.`,
    format: 'Formato',
    formats: { xlsx: 'Libro de Excel (XLSX)', csv: 'CSV' },
    byName: 'Incluir las organizaciones y etiquetas por su nombre',
    byNameHint:
      'De lo contrario se incluyen sus ID. Ambos pueden volver a importarse. Si varias comparten un nombre, se incluye el ID.',
    start: 'Exportar',
    progress: (done, total) =>
      total === undefined ? `Leyendo: ${users(done)}…` : `Leyendo: ${formatNumber(done)} de ${users(total)}…`,
    stop: 'Detener',
    done: (count, file) => `${plural(count, 'usuario exportado', 'usuarios exportados')} a ${file}.`,
    failed: 'No se pudieron exportar los usuarios',
    fileName: (day) => `usuarios-${day}`,
    fileSelected: (count) => `${count}-seleccionados`,
    sheet: 'Usuarios',
  },

  runs: {
    resetPasswords: {
      title: 'Restablecer contraseñas',
      text: (count) =>
        choose(
          count,
          '1 usuario recibirá un mensaje con una contraseña nueva, que deberá cambiarse en el próximo inicio de sesión. Su contraseña anterior deja de funcionar y se cierran todas sus sesiones.',
          `${users(count)} recibirán un mensaje con una contraseña nueva, que deberá cambiarse en el próximo inicio de sesión. Sus contraseñas anteriores dejan de funcionar y se cierran todas sus sesiones.`,
        ),
      start: (count) => `Restablecer ${plural(count, 'contraseña', 'contraseñas')}`,
      succeeded: (count) => `${plural(count, 'contraseña restablecida', 'contraseñas restablecidas')}.`,
    },
    resendMessages: {
      title: 'Reenviar mensajes',
      text: (count) =>
        `Se volverá a enviar el último mensaje de contraseña de ${users(count)}, con una contraseña nueva si la anterior ya no se conoce.`,
      start: (count) => `Reenviar ${plural(count, 'mensaje', 'mensajes')}`,
      succeeded: (count) => `${plural(count, 'mensaje', 'mensajes')} en camino.`,
    },
    notUndoable: 'No se puede deshacer.',
    nothingToSend: 'No hay ningún mensaje que reenviar.',
    progress: (done, total) => `Progreso: ${formatNumber(done)} de ${formatNumber(total)}`,
    paused: (done, total) => `En pausa: ${formatNumber(done)} de ${formatNumber(total)}`,
    pause: 'Pausar',
    resume: 'Continuar',
    stop: 'Detener',
    notDone: (count) => `${users(count)} sin procesar, porque se detuvo antes de terminar.`,
    failedCount: (count) => `${users(count)} con error.`,
    failures: 'Con error',
    failuresTable: 'Usuarios con error',
    reason: 'Motivo',
    retry: (count) => `Reintentar para ${users(count)}`,
    sessionEnded: 'La sesión ha finalizado. Hay que volver a iniciar sesión y después continuar.',
  },

  edit: {
    saved: (field: string, name: string) => `${field} de ${name}: guardado.`,
    signInChanges: (name: string) =>
      `A partir de ahora, este usuario inicia sesión como ${name}, ya no con el nombre anterior. Avísele.`,
    saveAnyway: 'Cambiar nombre de usuario',
    hint: 'Intro guarda, Esc cancela.',
    editing: (field, name) => `${field} de ${name}`,
    conflict: (field) => `Este campo ha cambiado entretanto: ${field}`,
    changedAt: (time) => `Modificado el ${time}`,
    keepMine: (value) => `Guardar ${value} de todos modos`,
    takeTheirs: (value) => `Conservar ${value}`,
  },

  views: {
    open: 'Vistas',
    list: 'Vistas guardadas',
    none: 'Aún no hay vistas guardadas. Una vista conserva la búsqueda, los filtros, el orden y las columnas.',
    name: 'Nombre de la vista',
    saveNew: 'Guardar esta vista',
    exists: 'Ya hay una vista con este nombre. Al guardar, se sustituye.',
    remove: (name) => `Eliminar «${name}»`,
    removed: (name) => `Vista «${name}» eliminada.`,
    saved: (name) => `Vista «${name}» guardada.`,
    own: 'Solo para usted',
    shared: 'Compartidas con todos',
    share: 'Compartir con todos',
    sharedBy: (name) => `Compartida por ${name}`,
    edit: (name) => `Editar «${name}»`,
    newName: (name) => `Nuevo nombre de «${name}»`,
    confirmRemoval: 'Eliminar',
    removalText: 'Todos perderán esta vista. Los usuarios que contiene no cambian.',
    notLoaded: 'No se pudieron cargar las vistas guardadas',
    failed: 'No se pudieron cambiar las vistas guardadas',
    offer: (names) => `Por ahora solo en este navegador: ${names.join(', ')}.`,
    upload: 'Guardarlas en su cuenta',
    notNow: 'Ahora no',
    uploaded: (count) =>
      count === 1
        ? '1 vista guardada en su cuenta.'
        : `${formatNumber(count)} vistas guardadas en su cuenta.`,
    copyLink: 'Copiar enlace',
    copied: 'Enlace copiado',
    cannotCopy: 'No se pudo copiar el enlace. Se puede copiar de la barra de direcciones.',
  },
};
