import type { directoriesCopy as english } from '../en/directories.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const organizations = (count: number) => plural(count, 'organización', 'organizaciones');

export const directoriesCopy: Translation<typeof english> = {
  title: { organizations: 'Organizaciones', tags: 'Etiquetas' },
  searchHint: 'Nombre o ID',
  empty: (kind) => (kind === 'tags' ? 'Aún no hay etiquetas' : 'Aún no hay organizaciones'),
  emptyHint: {
    organizations:
      'Las organizaciones muestran a dónde pertenecen los usuarios, como una empresa, un departamento o una sede. Aquí aparecen todas las que tienen algún usuario asignado.',
    tags: 'Las etiquetas marcan a los usuarios que tienen algo en común, como el personal de primeros auxilios o a tiempo parcial. Aquí aparecen todas las que tiene algún usuario.',
  },
  name: 'Nombre',
  id: 'ID',
  addName: 'Añadir nombre',
  addNameTo: (id) => `Añadir nombre: ${id}`,
  partsOf: (name) => `Dependencias de ${name}`,
  path: (names) => names.join(' › '),
  users: 'Usuarios',
  activeUsers: 'Usuarios activos',
  actions: 'Acciones',
  actionsFor: (name) => `Acciones para ${name}`,
  usersOf: (name, count) => `${name}: ${users(count)}`,
  usersWithParts: 'Con dependencias',
  usersWithPartsOf: (name, count) =>
    `Usuarios de ${name} y sus dependencias: ${formatNumber(count)} en total`,
  withPartsShort: (count) => `${formatNumber(count)} en total`,
  activeUsersOf: (name, count) => `${name}: ${plural(count, 'usuario activo', 'usuarios activos')}`,
  activeShort: (count) => `${formatNumber(count)} ${choose(count, 'activo', 'activos')}`,

  fields: {
    displayName: 'Nombre visible',
    displayNameHint: 'Se muestra en lugar del ID. Si se deja en blanco, se muestra el ID.',
    parent: 'Depende de',
    parentHint: 'La organización a la que pertenece, si la hay.',
  },
  add: {
    action: (kind) => (kind === 'tags' ? 'Añadir etiqueta' : 'Añadir organización'),
    idHint: {
      organizations:
        'Como en los demás sistemas, por ejemplo un número de departamento o de centro de coste.',
      tags: 'Como en los demás sistemas, o un código breve como PRIMEROS-AUXILIOS.',
    },
    exists: (name) => `${name} ya existe.`,
    editInstead: 'Editar la existente',
    done: (name) => `Se ha añadido ${name}.`,
    failed: (kind) =>
      kind === 'tags' ? 'No se pudo añadir la etiqueta' : 'No se pudo añadir la organización',
  },
  edit: {
    action: 'Editar…',
    title: (name) => `Editar ${name}`,
    saved: (name) => `Se ha guardado ${name}.`,
    failed: 'No se pudieron guardar los cambios',
  },
  remove: {
    action: 'Eliminar…',
    title: (name) => `¿Eliminar ${name}?`,
    text: (kind) =>
      kind === 'tags'
        ? 'Esta etiqueta no tiene usuarios. Su nombre se pierde: si más adelante se asigna el ID a un usuario, volverá a aparecer aquí sin nombre.'
        : 'Esta organización no tiene usuarios. Su nombre se pierde: si más adelante se asigna el ID a un usuario, volverá a aparecer aquí sin nombre.',
    parts: (names, count) => {
      const others = count - names.length;
      const listed = others === 0 ? names : [...names, `${formatNumber(others)} más`];
      return `${organizations(count)} ${choose(count, 'depende', 'dependen')} de ella: ${listed.join('; ')}.`;
    },
    newParent: 'Nueva organización superior',
    newParentHint: 'En blanco, ninguna.',
    partsLoading: 'Buscando organizaciones que dependen de ella',
    partsNotLoaded: 'No se pudo comprobar qué organizaciones dependen de ella',
    confirm: 'Eliminar',
    confirmWithParts: (count) => `Mover ${organizations(count)} y eliminar`,
    done: (name) => `Se ha eliminado ${name}.`,
    failed: (kind) =>
      kind === 'tags' ? 'No se pudo eliminar la etiqueta' : 'No se pudo eliminar la organización',
  },
  rename: {
    action: 'Cambiar el ID…',
    title: (name) => `Cambiar el ID de ${name}`,
    lead: {
      organizations:
        'Todos los usuarios de esta organización reciben el ID nuevo. Su nombre, su organización superior y sus dependencias no cambian, y el cambio se puede deshacer. Conviene actualizar también los archivos y los demás sistemas que usen el ID anterior: de lo contrario, volverá a aparecer como otra organización.',
      tags: 'Todos los usuarios con esta etiqueta reciben el ID nuevo. El nombre no cambia, y el cambio se puede deshacer. Conviene actualizar también los archivos y los demás sistemas que usen el ID anterior: de lo contrario, volverá a aparecer como otra etiqueta.',
    },
    currentId: 'ID actual',
    newId: 'ID nuevo',
    sameId: 'Este es el ID actual.',
    taken: (name) => `${name} ya tiene este ID.`,
    takenNoName: (kind) =>
      kind === 'tags' ? 'Otra etiqueta ya tiene este ID.' : 'Otra organización ya tiene este ID.',
    mergeInstead: 'Para combinar las dos, usar',
    summary: (from, to) => `El ID pasa de ${from} a ${to}.`,
    confirm: (count) => (count === 0 ? 'Cambiar el ID' : `Cambiar el ID para ${users(count)}`),
    done: 'Se ha cambiado el ID.',
  },
  merge: {
    action: 'Combinar con…',
    title: (kind, name) =>
      kind === 'tags' ? `Combinar ${name} con otra etiqueta` : `Combinar ${name} con otra organización`,
    lead: {
      organizations:
        'Todos los usuarios de esta organización pasan a la que se elija. No cambia nada más de ellos y el cambio se puede deshacer. Esta organización sigue en la lista, sin usuarios y con las que dependen de ella, hasta que se elimine.',
      tags: 'Todos los usuarios con esta etiqueta reciben en su lugar la que se elija. No cambia nada más de ellos y el cambio se puede deshacer. Esta etiqueta sigue en la lista, sin usuarios, hasta que se elimine.',
    },
    into: 'Combinar con',
    summary: {
      organizations: (from, to) => `Todos los usuarios de ${from} pasan a ${to}.`,
      tags: (from, to) =>
        `Todos los usuarios con ${from} reciben en su lugar ${to}. Quienes tienen ambas solo pierden ${from}.`,
    },
    confirm: {
      organizations: (count) => `Mover ${users(count)}`,
      tags: (count) => `Modificar ${users(count)}`,
    },
    oldStays: (from) =>
      `${from} permanece en la lista sin usuarios, para que se pueda deshacer. Se puede eliminar cuando ya no haga falta.`,
  },
};
