import type { usersListCopy as english } from '../en/users-list.js';
import { formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

export const usersListCopy: Translation<typeof english> = {
  columns: {
    hint: 'Wird in diesem Browser gespeichert.',
  },

  select: {
    column: 'Auswahl',
    user: (name) => `${name} auswählen`,
    all: 'Alle Benutzer dieser Liste auswählen',
    bar: 'Ausgewählte Benutzer',
    count: (count) => `${users(count)} ausgewählt`,
    allMatching: (count) =>
      count === undefined
        ? 'Alle passenden Benutzer ausgewählt'
        : choose(
            count,
            'Einziger Benutzer dieser Liste ausgewählt',
            `Alle ${users(count)} dieser Liste ausgewählt`,
          ),
    selectAll: (count) =>
      count === undefined ? 'Alle passenden auswählen' : `Alle ${formatNumber(count)} auswählen`,
    clear: 'Auswahl aufheben',
    more: 'Weitere Aktionen',
    actions: 'Aktionen',
    tooMany: (max) =>
      `Sie können bis zu ${users(max)} einzeln auswählen. Um mehr zu ändern, filtern Sie die Liste, und wählen Sie alle aus.`,
    needsFilter: 'Um alle diese Benutzer zu ändern, filtern Sie zuerst die Liste.',
    oneByOneOnly: (max) => `Verfügbar für bis zu ${users(max)}.`,
    failed: 'Die Benutzer konnten nicht ausgewählt werden',
  },

  actions: {
    activate: 'Aktivieren…',
    deactivate: 'Deaktivieren…',
    addTag: 'Schlagwort hinzufügen…',
    removeTag: 'Schlagwort entfernen…',
    setOrganization: 'Organisation festlegen…',
    clearOrganization: 'Organisation entfernen…',
    setManager: 'Führungskraft festlegen…',
    clearManager: 'Führungskraft entfernen…',
    setAttribute: 'Attribut festlegen…',
    clearAttribute: 'Attribut leeren…',
    export: 'Exportieren…',
    resetPasswords: 'Passwörter zurücksetzen…',
    resendMessages: 'Nachrichten erneut senden…',
  },

  change: {
    titles: {
      addTag: 'Schlagwort hinzufügen',
      removeTag: 'Schlagwort entfernen',
      setOrganization: 'Organisation festlegen',
      clearOrganization: 'Organisation entfernen',
      setManager: 'Führungskraft festlegen',
      clearManager: 'Führungskraft entfernen',
      setAttribute: 'Attribut festlegen',
      clearAttribute: 'Attribut leeren',
      activate: 'Benutzer aktivieren',
      deactivate: 'Benutzer deaktivieren',
    },
    selected: (count) => `${users(count)} in der Liste ausgewählt.`,
  },

  plan: {
    when: 'Wann',
    now: 'Jetzt',
    later: 'An einem bestimmten Tag',
    day: 'Datum',
    dayHint: 'Die Ausführung erfolgt zu Beginn dieses Tages.',
    at: (time) => `Die Ausführung erfolgt am ${time}.`,
    approval: 'Von jemand anderem genehmigen lassen',
    approvalHint: 'Es ändert sich nichts, bis ein anderer berechtigter Benutzer zugestimmt hat.',
    note: 'Grund (optional)',
    noteHint: 'Der Grund für die Änderung. Sichtbar für alle, die sie genehmigen, und unter „Aktivität“.',
    confirm: (count) => `Für ${users(count)} planen`,
    request: (count) => `Genehmigung für ${users(count)} anfordern`,
    plannedTitle: 'Geplant',
    planned: (day) => `Die Änderung erfolgt am ${day}.`,
    plannedWithApproval: (day) => `Sobald jemand anderes sie genehmigt hat, erfolgt die Änderung am ${day}.`,
    requested: 'Jemand anderes muss die Änderung genehmigen.',
    nothingYet: 'Bisher hat sich nichts geändert.',
    view: 'Geplante Änderung anzeigen',
  },

  export: {
    open: 'Exportieren',
    title: 'Benutzer exportieren',
    list: (count) =>
      count === undefined ? 'Alle Benutzer dieser Liste.' : `${users(count)}, in der Reihenfolge der Liste.`,
    selected: (count) => `${users(count)}, in der Reihenfolge Ihrer Auswahl.`,
    columns: (names) => `Spalten: ${names.join(', ')}.`,
    format: 'Dateiformat',
    formats: { xlsx: 'Excel-Arbeitsmappe (XLSX)', csv: 'CSV' },
    byName: 'Organisationen und Schlagwörter mit Namen ausgeben',
    byNameHint:
      'Sonst werden ihre IDs ausgegeben. Beides lässt sich wieder importieren. Einen Namen, den mehrere haben, ersetzt die ID.',
    start: 'Exportieren',
    progress: (done, total) =>
      total === undefined
        ? `${users(done)} gelesen…`
        : `${formatNumber(done)} von ${users(total)}${choose(total, '', 'n')} gelesen…`,
    stop: 'Abbrechen',
    done: (count, file) => `${users(count)} exportiert: ${file}.`,
    failed: 'Die Benutzer konnten nicht exportiert werden',
    fileName: (day) => `benutzer-${day}`,
    fileSelected: (count) => `${count}-ausgewählte`,
    sheet: 'Benutzer',
  },

  runs: {
    resetPasswords: {
      title: 'Passwörter zurücksetzen',
      text: (count) =>
        `${users(count)} ${choose(count, 'erhält', 'erhalten')} eine Nachricht mit einem neuen Passwort, das bei der nächsten Anmeldung geändert werden muss. ${choose(count, 'Das bisherige Passwort wird', 'Die bisherigen Passwörter werden')} ungültig, und alle Sitzungen werden beendet.`,
      start: (count) => `${plural(count, 'Passwort', 'Passwörter')} zurücksetzen`,
      succeeded: (count) => `${plural(count, 'Passwort', 'Passwörter')} zurückgesetzt.`,
    },
    resendMessages: {
      title: 'Nachrichten erneut senden',
      text: (count) =>
        `Die ${choose(count, 'letzte', 'jeweils letzte')} Passwortnachricht an ${users(count)} wird erneut gesendet. Sie enthält ein neues Passwort, falls das bisherige nicht mehr bekannt ist.`,
      start: (count) => `${plural(count, 'Nachricht', 'Nachrichten')} erneut senden`,
      succeeded: (count) =>
        `${plural(count, 'Nachricht', 'Nachrichten')} ${choose(count, 'ist', 'sind')} unterwegs.`,
    },
    notUndoable: 'Das lässt sich nicht rückgängig machen.',
    nothingToSend: 'Es gibt keine Nachricht, die erneut gesendet werden kann.',
    progress: (done, total) => `${formatNumber(done)} von ${formatNumber(total)} erledigt`,
    paused: (done, total) => `Angehalten nach ${formatNumber(done)} von ${formatNumber(total)}`,
    pause: 'Anhalten',
    resume: 'Fortsetzen',
    stop: 'Abbrechen',
    notDone: (count) => `${users(count)} ausgelassen, weil Sie abgebrochen haben.`,
    failedCount: (count) => `Bei ${users(count)}${choose(count, '', 'n')} fehlgeschlagen.`,
    failures: 'Fehlgeschlagen',
    failuresTable: 'Benutzer, bei denen es fehlgeschlagen ist',
    reason: 'Grund',
    retry: (count) => `Für ${users(count)} erneut versuchen`,
    sessionEnded: 'Ihre Sitzung wurde beendet. Melden Sie sich erneut an, und setzen Sie dann fort.',
  },

  edit: {
    saved: (field: string, name: string) => `${field} von ${name} gespeichert.`,
    signInChanges: (name: string) =>
      `Künftig meldet sich dieser Benutzer als ${name} an, nicht mehr mit dem bisherigen Namen. Sagen Sie ihm Bescheid.`,
    saveAnyway: 'Benutzernamen ändern',
    hint: 'Eingabetaste speichert, Esc bricht ab.',
    editing: (field, name) => `${field} von ${name}`,
    conflict: (field) => `Inzwischen geändert: ${field}`,
    changedAt: (time) => `Geändert am ${time}`,
    keepMine: (value) => `Trotzdem speichern: ${value}`,
    takeTheirs: (value) => `Beibehalten: ${value}`,
  },

  views: {
    open: 'Ansichten',
    list: 'Gespeicherte Ansichten',
    none: 'Noch keine gespeicherten Ansichten. Eine Ansicht umfasst Suche, Filter, Sortierung und Spalten.',
    name: 'Name der Ansicht',
    saveNew: 'Diese Ansicht speichern',
    exists: 'Es gibt bereits eine Ansicht mit diesem Namen. Sie wird beim Speichern ersetzt.',
    remove: (name) => `„${name}“ löschen`,
    removed: (name) => `Ansicht „${name}“ gelöscht.`,
    saved: (name) => `Ansicht „${name}“ gespeichert.`,
    own: 'Nur für Sie',
    shared: 'Mit allen geteilt',
    share: 'Mit allen teilen',
    sharedBy: (name) => `Geteilt von ${name}`,
    edit: (name) => `„${name}“ bearbeiten`,
    newName: (name) => `Neuer Name von „${name}“`,
    confirmRemoval: 'Löschen',
    removalText: 'Die Ansicht verschwindet für alle. Die Benutzer darin bleiben unverändert.',
    notLoaded: 'Die gespeicherten Ansichten konnten nicht geladen werden',
    failed: 'Die gespeicherten Ansichten konnten nicht geändert werden',
    offer: (names) => `Bisher nur in diesem Browser: ${names.join(', ')}.`,
    upload: 'In Ihrem Konto speichern',
    notNow: 'Nicht jetzt',
    uploaded: (count) =>
      count === 1
        ? '1 Ansicht in Ihrem Konto gespeichert.'
        : `${formatNumber(count)} Ansichten in Ihrem Konto gespeichert.`,
    copyLink: 'Link kopieren',
    copied: 'Link kopiert',
    cannotCopy: 'Der Link konnte nicht kopiert werden. Kopieren Sie ihn aus der Adressleiste.',
  },
};
