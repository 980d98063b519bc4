import type { navigationCopy as english } from '../en/navigation.js';
import type { Translation } from '../translation.js';
import { users } from './plural.js';

export const navigationCopy: Translation<typeof english> = {
  pages: {
    home: 'Startseite',
    users: 'Benutzer',
    organizations: 'Organisationen',
    tags: 'Schlagwörter',
    feeds: 'Feeds',
    activity: 'Aktivität',
    settings: 'Einstellungen',
    system: 'System',
  },
  search: {
    open: 'Suchen oder springen zu…',
    keys: (isApple) => (isApple ? '⌘K' : 'Strg K'),
  },
  palette: {
    title: 'Suche und Befehle',
    placeholder: 'Benutzer, Organisationen, Seiten und Aktionen suchen',
    users: 'Benutzer',
    pages: 'Seiten',
    actions: 'Aktionen',
    didYouMean: 'Meinten Sie',
    directories: 'Organisationen und Tags',
    allMatches: (text) => `Alle Benutzer zu „${text}“ anzeigen`,
    nothing: 'Keine Treffer',
    searching: 'Suche läuft…',
    found: (count) => `${users(count)} gefunden`,
    firstFound: (count) => `Die ersten ${users(count)}`,
    failed: 'Die Benutzersuche ist derzeit nicht möglich.',
    inactive: 'Inaktiv',
    formerly: (employeeID) => `früher ${employeeID}`,
    actionNames: {
      create: 'Benutzer anlegen',
      import: 'Benutzer aus einer Datei importieren',
      password: 'Passwort ändern',
      light: 'Helle Darstellung verwenden',
      dark: 'Dunkle Darstellung verwenden',
      auto: 'Darstellung des Systems verwenden',
      shortcuts: 'Tastenkürzel anzeigen',
      signOut: 'Abmelden',
    },
  },
  shortcuts: {
    title: 'Tastenkürzel',
    palette: 'Suche und Befehle',
    search: 'Auf dieser Seite suchen',
    help: 'Diese Liste anzeigen',
    goTo: (page) => `${page} öffnen`,
    create: 'Benutzer anlegen',
    followedBy: 'dann',
    control: 'Strg',
  },
};
