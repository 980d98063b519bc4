import type { matchingCopy as english } from '../en/matching.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const matchingCopy: Translation<typeof english> = {
  preview: 'Vorschau',
  filters: (count) =>
    choose(count, 'Benutzer, auf die dieser Filter passt:', 'Benutzer, auf die alle diese Filter passen:'),
  loading: 'Es wird geprüft, was sich ändern würde…',
  cannotPreview: 'Die Vorschau konnte nicht erstellt werden',
  failed: 'Die Änderung konnte nicht vorgenommen werden',
  tooMany: (limit) =>
    `Es passen mehr als ${users(limit)}. So viele können höchstens auf einmal geändert werden. Fügen Sie Filter hinzu, und ändern Sie die Benutzer in Teilen.`,
  numberChanged: (before, now) =>
    `Die Zahl der Benutzer hat sich von ${formatNumber(before)} auf ${formatNumber(now)} geändert, deshalb wurde nichts geändert. Prüfen Sie die neue Vorschau, und bestätigen Sie erneut.`,
  willChange: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} geändert.`,
  willStay: (count) => `${users(count)} ${choose(count, 'bleibt', 'bleiben')} unverändert.`,
  willFail: (count) => `${users(count)} ${choose(count, 'kann', 'können')} nicht geändert werden.`,
  nothing: 'Kein Benutzer würde sich ändern.',
  typeToConfirm: (count) => `Geben Sie zur Bestätigung ${count} ein`,
  confirm: (count) => `${users(count)} ändern`,
  doneTitle: 'Fertig',
  changed: (count) => `${users(count)} geändert.`,
  stayed: (count) => `${users(count)} ${choose(count, 'blieb', 'blieben')} unverändert.`,
  didFail: (count) => `${users(count)} ${choose(count, 'konnte', 'konnten')} nicht geändert werden.`,
  nothingDone: 'Es wurden keine Benutzer geändert.',
  failuresTitle: { preview: 'Nicht änderbar', done: 'Nicht geändert' },
  failuresTable: 'Benutzer, die nicht geändert werden können',
  reason: 'Grund',
  changesTitle: 'Änderungen',
  changesTable: 'Benutzer, die sich ändern',
  fields: 'Vorher → nachher',
  undo: 'Rückgängig machen…',
  viewCall: 'Unter „Aktivität“ anzeigen',
};
