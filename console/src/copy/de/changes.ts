import type { changesCopy as english } from '../en/changes.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { plural } from './plural.js';

export const changesCopy: Translation<typeof english> = {
  lead: 'Was bei Benutzern, Organisationen und Schlagwörtern passiert ist, das Neueste zuerst. Neue Einträge erscheinen sofort.',
  limitedLead:
    'Sammeländerungen an Benutzern und Änderungen an Organisationen und Schlagwörtern, neueste zuerst. Änderungen an einzelnen Benutzern sehen nur Administratoren.',
  feed: 'Was passiert ist, das Neueste zuerst',
  empty: 'Bisher ist nichts passiert',
  new: (count, isMore) =>
    isMore
      ? `Mehr als ${formatNumber(count)} neue Änderungen`
      : plural(count, 'neue Änderung', 'neue Änderungen'),
  live: 'Live',
  liveHint: 'Neue Änderungen erscheinen innerhalb einer Sekunde.',
  reconnecting: 'Wird neu verbunden…',
  reconnectingHint: 'Die Verbindung wurde unterbrochen. Es gehen keine Änderungen verloren.',
  importOf: (file) => `Import von ${file}`,
  merged: (from, to) => `${from} mit ${to} zusammengeführt`,
  renamedOrganization: (name, from, to) => `Organisation ${name}: ID ${from} → ${to}`,
  renamedTag: (name, from, to) => `Schlagwort ${name}: ID ${from} → ${to}`,
  undone: (title) => `Rückgängig gemacht: ${title}`,
  decision: {
    planned: 'Geplant',
    approved: 'Genehmigt',
    rejected: 'Abgelehnt',
    cancelled: 'Abgebrochen',
    users: (count) => plural(count, 'Benutzer', 'Benutzer'),
    runs: (time) => `für ${time}`,
  },
  failed: (count) => `${formatNumber(count)} fehlgeschlagen`,
  edit: {
    organizations: {
      added: (name) => `Organisation ${name} hinzugefügt`,
      changed: (name) => `Organisation ${name} geändert`,
      removed: (name) => `Organisation ${name} entfernt`,
      several: (count) => `${formatNumber(count)} Organisationen hinzugefügt`,
    },
    tags: {
      added: (name) => `Schlagwort ${name} hinzugefügt`,
      changed: (name) => `Schlagwort ${name} geändert`,
      removed: (name) => `Schlagwort ${name} entfernt`,
      several: (count) => `${formatNumber(count)} Schlagwörter hinzugefügt`,
    },
    fields: { displayName: 'Name', parentSerial: 'Teil von' },
    more: (names, count) => `${names} und ${formatNumber(count)} weitere`,
  },
  statuses: { deactivated: 'Deaktiviert', reactivated: 'Reaktiviert' },
  nothingChanged: 'keine Änderungen',
  showPeople: (count) => `Personen anzeigen (${count})`,
  hidePeople: 'Personen ausblenden',
  peopleOf: (title, time) => `aus „${title}“, ${time}`,
  people: 'Geänderte Personen',
  failures: 'Fehlgeschlagene Zeilen',
  failuresOfRun: 'Fehlgeschlagene Zeilen ansehen',
  showIDs: 'Personalnummern anzeigen',
  export: {
    open: 'CSV herunterladen',
    limit: (max) => `Was die Filter anzeigen, bis zu ${max} Änderungen, neueste zuerst`,
    done: (rows) => `${plural(rows, 'Zeile', 'Zeilen')} heruntergeladen.`,
    cut: (rows) =>
      `Die neuesten ${rows} Zeilen wurden heruntergeladen. Für frühere wählen Sie einen kürzeren Zeitraum.`,
    failed: 'Die Datei konnte nicht heruntergeladen werden',
    fileName: 'aktivitaet.csv',
    columns: [
      'Zeit',
      'Sammeländerung',
      'Name',
      'Personalnummer',
      'Änderung',
      'Feld',
      'Vorher',
      'Nachher',
      'Von',
    ],
  },
  filters: {
    who: 'Von wem',
    anyone: 'Alle',
    kind: 'Art',
    field: 'Feld',
    from: 'Von',
    until: 'Bis',
    any: 'Alle',
    search: 'Name oder Personalnummer eingeben',
    nobody: 'Keine Treffer',
    programs: 'Feeds und API-Zugänge',
    users: 'Benutzer',
  },
  periods: {
    label: 'Zeitraum',
    lastDay: 'Letzte 24 Stunden',
    sinceYesterdayEvening: 'Seit gestern 18:00',
    lastWeek: 'Letzte 7 Tage',
  },
  erasedUser: 'Endgültig gelöschter Benutzer',
};
