import type { changeUsersCopy as english } from '../en/change-users.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const changeUsersCopy: Translation<typeof english> = {
  action: (count) => {
    if (count === undefined) return 'Alle passenden Benutzer ändern…';
    return choose(count, 'Diesen Benutzer ändern…', `Alle ${users(count)} ändern…`);
  },
  title: 'Passende Benutzer ändern',
  search: (text) => `Suche „${text}“`,
  change: 'Zu ändern',
  kinds: {
    addTag: 'Schlagwort hinzufügen',
    removeTag: 'Schlagwort entfernen',
    setOrganization: 'Organisation festlegen',
    clearOrganization: 'Organisation entfernen',
    setManager: 'Führungskraft festlegen',
    clearManager: 'Führungskraft entfernen',
    setAttribute: 'Attribut festlegen',
    clearAttribute: 'Attribut leeren',
    activate: 'Aktivieren',
    deactivate: 'Deaktivieren',
  },
  directories: { organizations: 'Organisation', tags: 'Schlagwort', users: 'Führungskraft' },
  serialHint: 'Name oder ID',
  isNew: {
    organizations: (id) => `${id} ist eine neue Organisation. Prüfen Sie die Schreibweise.`,
    tags: (id) => `${id} ist ein neues Schlagwort. Prüfen Sie die Schreibweise.`,
  },
  hints: {
    activate:
      'Die Benutzer können sich wieder anmelden, haben aber keinen Zugriff auf diese Konsole, bis ein Administrator ihnen eine Rolle gibt. Passwortnachrichten, die darauf warten, werden gesendet. Zurückgehaltene Nachrichten bleiben zurückgehalten.',
    deactivate:
      'Die Benutzer werden abgemeldet, können sich nicht mehr anmelden und verlieren ihre Rollen. Rückgängigmachen reaktiviert sie, stellt aber ihre Rollen nicht wieder her.',
  },
  confirm: {
    activate: (count) => `${users(count)} aktivieren`,
    deactivate: (count) => `${users(count)} deaktivieren`,
  },
  willChange: {
    activate: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} aktiviert.`,
    deactivate: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} deaktiviert.`,
  },
  changed: {
    activate: (count) => `${users(count)} aktiviert.`,
    deactivate: (count) => `${users(count)} deaktiviert.`,
  },
  sentences: {
    addTag: (entry) => `Das Schlagwort ${entry} hinzufügen.`,
    removeTag: (entry) => `Das Schlagwort ${entry} entfernen.`,
    setOrganization: (entry) => `Die Organisation auf ${entry} setzen.`,
    clearOrganization: () => 'Die Organisation entfernen.',
    setManager: (entry) => `${entry} als Führungskraft festlegen.`,
    clearManager: () => 'Führungskraft entfernen.',
    setAttribute: (name, value) => `${name} auf ${value} setzen.`,
    clearAttribute: (name) => `${name} leeren.`,
    activate: () => 'Die Benutzer aktivieren.',
    deactivate: () => 'Die Benutzer deaktivieren.',
  },
  done: { setAttribute: (name) => `${name} festlegen` },
};
