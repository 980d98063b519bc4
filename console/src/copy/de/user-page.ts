import type { userPageCopy as english, userLanguageCopy as englishLanguage } from '../en/user-page.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural } from './plural.js';

export const userPageCopy: Translation<typeof english> = {
  tabsLabel: 'Bereiche',
  tabs: { details: 'Profil', chart: 'Organigramm', history: 'Verlauf' },
  unsaved: 'nicht gespeichert',
  changeRole: 'Rolle ändern…',
  copyEmployeeId: (employeeID) => `Personalnummer ${employeeID} kopieren`,
  copySerial: 'Dauerhafte ID kopieren',
  copy: 'Kopieren',
  copied: 'Kopiert',
  noOrganization: 'Keine Organisation',
  reportsTo: 'Berichtet an',
  removedManager: 'ein entfernter Benutzer',
  chart: {
    managers: 'Führungskräfte, von oben',
    reports: (count, isMore) => `Direkte Mitarbeitende: ${isMore ? 'mehr als ' : ''}${formatNumber(count)}`,
    moreManagers: (count) => `… ${formatNumber(count)} weitere darüber`,
    fewerManagers: 'Weniger Führungskräfte anzeigen',
    reportsOf: (name, reports) => `${name} – ${reports}`,
    noReports: (name) => `Niemand berichtet an ${name}.`,
    noManager: (name) => `${name} hat keine Führungskraft.`,
    all: 'Alle als Liste ansehen',
    notLoaded: 'Das Organigramm konnte nicht geladen werden',
  },
  lastSignIn: 'Letzte Anmeldung',
  neverSignedIn: 'Keine aufgezeichnet',
  signsInWith: 'Anmeldung mit',
  viewUser: (name) => `${name} anzeigen`,
  changedBy: 'Geändert von:',
  erased: 'Dieser Benutzer wurde endgültig gelöscht',
  erasedHint: (at) =>
    at === undefined
      ? 'Die personenbezogenen Daten wurden gelöscht. Erhalten sind nur die Zeitpunkte der Änderungen.'
      : `Die personenbezogenen Daten wurden am ${at} gelöscht. Erhalten sind nur die Zeitpunkte der Änderungen.`,
  failedMessage: {
    title: 'Die letzte Nachricht mit einem Passwort konnte nicht zugestellt werden',
    correct: { email: 'Zur E-Mail-Adresse', phone: 'Zur Telefonnummer' },
  },
  timeline: {
    filter: 'Anzeigen',
    filters: {
      all: 'Alles',
      changes: 'Daten',
      roles: 'Rollen',
      messages: 'Nachrichten',
      access: 'Anmeldungen und Zugriff',
    },
    today: 'Heute',
    yesterday: 'Gestern',
    empty: {
      all: 'Noch nichts aufgezeichnet.',
      changes: 'Keine Datenänderungen aufgezeichnet.',
      roles: 'Die Rolle wurde noch nie geändert.',
      messages: 'An diesen Benutzer wurden noch keine Nachrichten gesendet.',
      access: 'Keine Anmeldungen aufgezeichnet.',
    },
    more: 'Frühere Einträge anzeigen',
    complete: (count) => choose(count, 'Das ist der einzige Eintrag.', 'Das sind alle Einträge.'),
    notLoaded: 'Der Verlauf konnte nicht geladen werden',
    by: 'durch',
    address: (address) => `von ${address}`,
    attempts: (count) => plural(count, 'Versuch', 'Versuche'),
    sentAt: (time) => `gesendet ${time}`,
    nextAttempt: (time) => `nächster Versuch ${time}`,
    titles: {
      created: 'Angelegt',
      updated: 'Geändert',
      renamed: 'Personalnummer geändert',
      deactivated: 'Deaktiviert',
      reactivated: 'Reaktiviert',
      role: 'Rolle geändert',
      rehired: 'Wiedereingestellt',
      deleted: 'Entfernt',
      erased: 'Endgültig gelöscht',
    },
    someCall: 'Sammeländerung',
    call: (kind, source) => (source === null ? `Sammeländerung: ${kind}` : `${kind}: ${source}`),
  },
};

export const userLanguageCopy: Translation<typeof englishLanguage> = {
  label: 'Sprache der Nachrichten',
  hint: 'Passwörter und Hinweise werden in dieser Sprache gesendet.',
  standard: (language) => `Standard (${language})`,
  done: (name, language) => `Sprache der Nachrichten an ${name}: ${language}.`,
  notLoaded: 'Die Sprache konnte nicht geladen werden',
  failed: 'Die Sprache konnte nicht geändert werden',
};
