import type { changeUsersCopy as english } from '../en/change-users.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const changeUsersCopy: Translation<typeof english> = {
  action: (count) => {
    if (count === undefined) return 'Modificar todos los usuarios que coinciden…';
    return choose(count, 'Modificar este usuario…', `Modificar los ${users(count)}…`);
  },
  title: 'Modificar los usuarios que coinciden',
  search: (text) => `Búsqueda «${text}»`,
  change: 'Qué modificar',
  kinds: {
    addTag: 'Añadir una etiqueta',
    removeTag: 'Quitar una etiqueta',
    setOrganization: 'Asignar la organización',
    clearOrganization: 'Quitar la organización',
    setManager: 'Asignar el responsable',
    clearManager: 'Quitar el responsable',
    setAttribute: 'Asignar un atributo',
    clearAttribute: 'Vaciar un atributo',
    activate: 'Activar',
    deactivate: 'Desactivar',
  },
  directories: { organizations: 'Organización', tags: 'Etiqueta', users: 'Responsable' },
  serialHint: 'Nombre o ID',
  isNew: {
    organizations: (id) => `${id} es una organización nueva. Conviene revisar cómo está escrita.`,
    tags: (id) => `${id} es una etiqueta nueva. Conviene revisar cómo está escrita.`,
  },
  hints: {
    activate:
      'Podrán volver a iniciar sesión, pero no tendrán acceso a esta consola hasta que un administrador les asigne un rol. Se enviarán los mensajes de contraseña que esperan esto. Los mensajes retenidos siguen retenidos.',
    deactivate:
      'Sus sesiones se cierran, ya no podrán iniciar sesión y perderán sus roles. Al deshacerlo se reactivan, pero no recuperan sus roles.',
  },
  confirm: {
    activate: (count) => `Activar ${users(count)}`,
    deactivate: (count) => `Desactivar ${users(count)}`,
  },
  willChange: {
    activate: (count) => `Se ${choose(count, 'activará', 'activarán')} ${users(count)}.`,
    deactivate: (count) => `Se ${choose(count, 'desactivará', 'desactivarán')} ${users(count)}.`,
  },
  changed: {
    activate: (count) => `${users(count)} ${choose(count, 'activado', 'activados')}.`,
    deactivate: (count) => `${users(count)} ${choose(count, 'desactivado', 'desactivados')}.`,
  },
  sentences: {
    addTag: (entry) => `Añadir la etiqueta ${entry}.`,
    removeTag: (entry) => `Quitar la etiqueta ${entry}.`,
    setOrganization: (entry) => `Asignar la organización ${entry}.`,
    clearOrganization: () => 'Quitar la organización.',
    setManager: (entry) => `Asignar como responsable a ${entry}.`,
    clearManager: () => 'Quitar el responsable.',
    setAttribute: (name, value) => `Asignar a ${name} el valor ${value}.`,
    clearAttribute: (name) => `Vaciar ${name}.`,
    activate: () => 'Activar a los usuarios.',
    deactivate: () => 'Desactivar a los usuarios.',
  },
  done: { setAttribute: (name) => `Establecer ${name}` },
};
