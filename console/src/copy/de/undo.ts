import type { undoCopy as english } from '../en/undo.js';
import type { Translation } from '../translation.js';
import { choose, users } from './plural.js';

export const undoCopy: Translation<typeof english> = {
  title: 'Diese Änderungen rückgängig machen?',
  doneTitle: 'Änderungen rückgängig gemacht',
  loading: 'Es wird geprüft, was rückgängig gemacht werden kann…',
  cannotPreview: 'Die Vorschau konnte nicht erstellt werden',
  failed: 'Die Änderungen konnten nicht rückgängig gemacht werden',
  willRestore: (count) =>
    `${users(count)} ${choose(count, 'wird', 'werden')} auf den vorherigen Stand zurückgesetzt.`,
  willRemove: (count) => `${users(count)} ${choose(count, 'wird', 'werden')} entfernt.`,
  willSkip: (count) =>
    `${users(count)} ${choose(count, 'kann nicht zurückgesetzt werden und bleibt', 'können nicht zurückgesetzt werden und bleiben')} unverändert.`,
  notes: {
    messages:
      'Bereits gesendete Nachrichten können nicht zurückgeholt werden. Bei Benutzern, die entfernt oder deaktiviert werden, funktionieren die gesendeten Passwörter nicht mehr.',
    roles:
      'Benutzer, die wieder aktiv werden, haben keine Rolle. Ein Administrator muss ihnen wieder eine geben.',
    again: 'Sie können auch das Rückgängigmachen später unter „Aktivität“ rückgängig machen.',
  },
  nothing: 'Es gibt nichts rückgängig zu machen.',
  restored: (count) => `${users(count)} zurückgesetzt.`,
  removed: (count) => `${users(count)} entfernt.`,
  skipped: (count) => `${users(count)} unverändert gelassen.`,
  nothingDone: 'Es wurde nichts geändert.',
  changesTitle: 'Änderungen',
  changesTable: 'Änderungen durch das Rückgängigmachen',
  skippedTitle: 'Unverändert gelassen',
  skippedTable: 'Benutzer, die nicht zurückgesetzt werden können',
  fields: 'Vorher → nachher',
  reason: 'Grund',
  safetyLimitTitle: 'Das betrifft viele Benutzer',
  safetyLimit: (count) =>
    `Das Rückgängigmachen würde ${users(count)} entfernen, deaktivieren oder deren Personalnummer ändern. Das überschreitet die Sicherheitsgrenze.`,
  typeToConfirm: (count) => `Geben Sie zur Bestätigung ${count} ein`,
  confirm: 'Rückgängig machen',
  viewUndo: 'Unter „Aktivität“ anzeigen',
};
