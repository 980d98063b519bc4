import type { usersCopy as english } from '../en/users.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

const about = ({ isExact }: { readonly isExact: boolean }) => (isExact ? '' : 'Etwa ');

export const usersCopy: Translation<typeof english> = {
  create: 'Benutzer anlegen',
  import: 'Benutzer importieren',
  searchHint: 'Name, Personalnummer, Benutzername, E-Mail oder Telefon',
  filter: {
    add: 'Filter hinzufügen',
    active: 'Aktive Filter',
    apply: 'Anwenden',
    clearAll: 'Alle entfernen',
    remove: (filter) => `Filter entfernen: ${filter}`,
    kinds: {
      status: 'Status',
      organization: 'Organisation',
      tag: 'Schlagwort',
      manager: 'Führungskraft',
      managerStatus: 'Status der Führungskraft',
      role: 'Rolle',
      password: 'Passwort',
      signIn: 'Anmeldung',
      created: 'Angelegt',
      updated: 'Geändert',
    },
    choices: {
      active: 'Aktiv',
      inactive: 'Inaktiv',
      notChosen: 'Noch kein eigenes Passwort',
      chosen: 'Eigenes Passwort gewählt',
      never: 'Nie angemeldet',
      signedIn: 'Schon einmal angemeldet',
      managerInactive: 'Führungskraft inaktiv oder entfernt',
      managerActive: 'Führungskraft aktiv',
    },
    condition: 'Bedingung',
    is: 'ist',
    isNot: 'ist nicht',
    none: { organization: 'Keine Organisation', tag: 'Keine Schlagwörter', manager: 'Keine Führungskraft' },
    serialPlaceholder: 'Name oder ID',
    serialHint: 'Wählen Sie einen Eintrag, oder geben Sie die ID ein und drücken Sie die Eingabetaste.',
    managerPlaceholder: 'Name oder Personalnummer',
    managerHint:
      'Wählen Sie einen Benutzer, oder geben Sie die Personalnummer ein und drücken Sie die Eingabetaste.',
    from: (kind) => `${kind} ab`,
    until: (kind) => `${kind} bis`,
    list: (kind, isNot, values, includesParts = false) =>
      `${kind} ${isNot ? 'ist nicht' : 'ist'} ${values}${includesParts ? ', einschließlich untergeordneter' : ''}`,
    includeParts: 'Untergeordnete Organisationen einschließen',
    or: (values) => values.join(' oder '),
    moreValues: (count) => `${formatNumber(count)} weitere`,
    days: (kind, from, until) => {
      if (from === undefined) return `${kind} bis ${until}`;
      if (until === undefined) return `${kind} seit ${from}`;
      return from === until ? `${kind} am ${from}` : `${kind} ${from} – ${until}`;
    },
  },
  formerly: (employeeID) => `früher ${employeeID}`,
  columns: 'Spalten',
  sort: 'Sortieren nach',
  sorts: {
    name: 'Name (A–Z)',
    '-name': 'Name (Z–A)',
    employeeID: 'Personalnummer (aufsteigend)',
    '-employeeID': 'Personalnummer (absteigend)',
    createdAt: 'Älteste zuerst',
    '-createdAt': 'Neueste zuerst',
  },
  createdAt: 'Angelegt',
  updatedAt: 'Geändert',
  table: 'Benutzer',
  tableHint:
    'Mit den Pfeiltasten, Bild auf, Bild ab, Pos 1 und Ende bewegen Sie sich zwischen den Benutzern. Mit der Eingabetaste öffnen Sie einen, mit der Leertaste wählen Sie ihn aus.',
  gridHint:
    'Mit den Pfeiltasten, Bild auf, Bild ab, Pos 1 und Ende bewegen Sie sich zwischen Benutzern und Feldern. Mit der Eingabetaste öffnen Sie einen Benutzer, mit F2 bearbeiten Sie ein Feld, mit der Leertaste wählen Sie einen Benutzer aus.',
  incomplete: 'Gerade wurden viele Benutzer geändert. Einige fehlen möglicherweise noch einen Moment.',
  total: (total) => `${about(total)}${users(total.count)}`,
  matching: (total, all) =>
    all === undefined
      ? `${about(total)}${users(total.count)} gefunden`
      : `${about(total)}${formatNumber(Math.min(total.count, all.count))} von ${users(all.count)}${choose(all.count, '', 'n')} gefunden`,
  moreThan: (count, isFiltered) => `Mehr als ${users(count)}${isFiltered ? ' gefunden' : ''}`,
  notLoaded: 'Die Benutzer konnten nicht geladen werden',
  didYouMean: 'Meinten Sie:',
  noMatches: {
    title: 'Keine passenden Benutzer',
    searchHint:
      'Gesucht wird nach Teilen von Namen, Personalnummern, Benutzernamen, E-Mail-Adressen und Telefonnummern. Ein oder zwei Zeichen finden nur Wortanfänge.',
    removeOne: 'Entfernen Sie eine dieser Bedingungen, um Benutzer zu sehen:',
    removeSeveral: 'Mehrere Filter zusammen blenden alle Benutzer aus.',
    remove: (filter) => `„${filter}“ entfernen`,
    widen: (filter) => `„${filter}“ anzeigen`,
    showing: (removal, { count, isExact }) => `${removal} (${isExact ? '' : 'etwa '}${users(count)})`,
  },
  empty: 'Noch keine Benutzer',
  emptyHint: 'Legen Sie den ersten Benutzer an, oder importieren Sie Benutzer aus einer Datei.',
  emptyHintReader: 'Benutzer erscheinen hier, sobald sie angelegt sind.',
};
