import type { usersCopy as english } from '../en/users.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

const about = ({ isExact }: { readonly isExact: boolean }) => (isExact ? '' : 'Unos ');
const match = (count: number) => choose(count, 'coincide', 'coinciden');

export const usersCopy: Translation<typeof english> = {
  create: 'Crear usuario',
  import: 'Importar usuarios',
  searchHint: 'Nombre, número de empleado, nombre de usuario, correo o teléfono',
  filter: {
    add: 'Añadir filtro',
    active: 'Filtros activos',
    apply: 'Aplicar',
    clearAll: 'Quitar todos',
    remove: (filter) => `Quitar filtro: ${filter}`,
    kinds: {
      status: 'Estado',
      organization: 'Organización',
      tag: 'Etiqueta',
      manager: 'Responsable',
      managerStatus: 'Estado del responsable',
      role: 'Rol',
      password: 'Contraseña',
      signIn: 'Inicio de sesión',
      created: 'Creado',
      updated: 'Modificado',
    },
    choices: {
      active: 'Activo',
      inactive: 'Inactivo',
      notChosen: 'Sin contraseña propia',
      chosen: 'Con contraseña propia',
      never: 'Nunca ha iniciado sesión',
      signedIn: 'Ha iniciado sesión',
      managerInactive: 'Responsable inactivo o eliminado',
      managerActive: 'Responsable activo',
    },
    condition: 'Condición',
    is: 'es',
    isNot: 'no es',
    none: { organization: 'Sin organización', tag: 'Sin etiquetas', manager: 'Sin responsable' },
    serialPlaceholder: 'Nombre o ID',
    serialHint: 'Elegir una opción, o escribir su ID y pulsar Intro.',
    managerPlaceholder: 'Nombre o número de empleado',
    managerHint: 'Elegir un usuario, o escribir su número de empleado y pulsar Intro.',
    from: (kind) => `${kind} desde`,
    until: (kind) => `${kind} hasta`,
    list: (kind, isNot, values, includesParts = false) =>
      `${kind} ${isNot ? 'no es' : 'es'} ${values}${includesParts ? ', con sus dependencias' : ''}`,
    includeParts: 'Incluir las organizaciones dependientes',
    or: (values) => values.join(' o '),
    moreValues: (count) => `${formatNumber(count)} más`,
    days: (kind, from, until) => {
      if (from === undefined) return `${kind} hasta ${until}`;
      if (until === undefined) return `${kind} desde ${from}`;
      return from === until ? `${kind} el ${from}` : `${kind} ${from} – ${until}`;
    },
  },
  formerly: (employeeID) => `antes ${employeeID}`,
  columns: 'Columnas',
  sort: 'Ordenar por',
  sorts: {
    name: 'Nombre (A–Z)',
    '-name': 'Nombre (Z–A)',
    employeeID: 'Número de empleado (ascendente)',
    '-employeeID': 'Número de empleado (descendente)',
    createdAt: 'Más antiguos primero',
    '-createdAt': 'Más recientes primero',
  },
  createdAt: 'Creado',
  updatedAt: 'Modificado',
  table: 'Usuarios',
  tableHint:
    'Las teclas de flecha, Re Pág, Av Pág, Inicio y Fin permiten moverse entre los usuarios. Intro abre uno y la barra espaciadora lo selecciona.',
  gridHint:
    'Las teclas de flecha, Re Pág, Av Pág, Inicio y Fin permiten moverse entre los usuarios y los campos. Intro abre un usuario, F2 edita un campo y la barra espaciadora selecciona un usuario.',
  incomplete: 'Se acaban de modificar muchos usuarios. Puede que falten algunos durante un momento.',
  total: (total) => `${about(total)}${users(total.count)}`,
  matching: (total, all) =>
    all === undefined
      ? `${about(total)}${users(total.count)} ${match(total.count)}`
      : `${about(total)}${formatNumber(Math.min(total.count, all.count))} de ${users(all.count)} ${match(total.count)}`,
  moreThan: (count, isFiltered) => `Más de ${users(count)}${isFiltered ? ' coinciden' : ''}`,
  notLoaded: 'No se pudieron cargar los usuarios',
  didYouMean: 'Quizás quiso decir:',
  noMatches: {
    title: 'Ningún usuario coincide',
    searchHint:
      'La búsqueda encuentra partes de nombres, números de empleado, nombres de usuario, correos y teléfonos. Con uno o dos caracteres solo se encuentra el principio de una palabra.',
    removeOne: 'Para ver usuarios, se puede quitar una de estas condiciones:',
    removeSeveral: 'Varios filtros juntos ocultan a todos los usuarios.',
    remove: (filter) => `Quitar «${filter}»`,
    widen: (filter) => `Mostrar «${filter}»`,
    showing: (removal, { count, isExact }) => `${removal} (${isExact ? '' : 'unos '}${users(count)})`,
  },
  empty: 'Aún no hay usuarios',
  emptyHint: 'Se puede crear el primer usuario o importar usuarios desde un archivo.',
  emptyHintReader: 'Los usuarios aparecerán aquí cuando se creen.',
};
