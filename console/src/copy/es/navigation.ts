import type { navigationCopy as english } from '../en/navigation.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const navigationCopy: Translation<typeof english> = {
  pages: {
    home: 'Inicio',
    users: 'Usuarios',
    organizations: 'Organizaciones',
    tags: 'Etiquetas',
    feeds: 'Feeds',
    activity: 'Actividad',
    settings: 'Configuración',
    system: 'Sistema',
  },
  search: {
    open: 'Buscar o ir a…',
    keys: (isApple) => (isApple ? '⌘K' : 'Ctrl K'),
  },
  palette: {
    title: 'Búsqueda y comandos',
    placeholder: 'Buscar usuarios, organizaciones, páginas y acciones',
    users: 'Usuarios',
    pages: 'Páginas',
    actions: 'Acciones',
    didYouMean: 'Quizás quiso decir',
    directories: 'Organizaciones y etiquetas',
    allMatches: (text) => `Ver todos los usuarios que coinciden con «${text}»`,
    nothing: 'Sin resultados',
    searching: 'Buscando…',
    firstFound: (count) => `Se muestran los primeros ${users(count)}`,
    found: (count) => `${users(count)} ${choose(count, 'encontrado', 'encontrados')}`,
    failed: 'En este momento no se pueden buscar usuarios.',
    inactive: 'Inactivo',
    formerly: (employeeID) => `antes ${employeeID}`,
    actionNames: {
      create: 'Crear usuario',
      import: 'Importar usuarios desde un archivo',
      password: 'Cambiar la contraseña',
      light: 'Usar la apariencia clara',
      dark: 'Usar la apariencia oscura',
      auto: 'Usar la apariencia del sistema',
      shortcuts: 'Mostrar los atajos de teclado',
      signOut: 'Cerrar sesión',
    },
  },
  shortcuts: {
    title: 'Atajos de teclado',
    palette: 'Búsqueda y comandos',
    search: 'Buscar en esta página',
    help: 'Mostrar esta lista',
    goTo: (page) => `Ir a ${page}`,
    create: 'Crear usuario',
    followedBy: 'y después',
    control: 'Ctrl',
  },
};
