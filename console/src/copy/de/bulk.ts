import type { bulkCopy as english } from '../en/bulk.js';
import { formatNumber, formatPercent } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'Zeile', 'Zeilen');
const listed = new Intl.ListFormat('de', { type: 'conjunction' });

export const bulkCopy: Translation<typeof english> = {
  title: { update: 'Benutzer aus einer Datei aktualisieren', create: 'Benutzer aus einer Datei anlegen' },
  stepsLabel: 'Schritte',
  steps: { file: 'Datei', columns: 'Spalten', check: 'Prüfen', run: 'Ausführen', result: 'Ergebnis' },
  next: 'Weiter',
  back: 'Zurück',
  startOver: 'Andere Datei hochladen',
  duplicateEmployeeID: (row) =>
    `Diese Personalnummer steht auch in Zeile ${formatNumber(row)}. Beide Zeilen werden der Reihe nach angewendet.`,
  safetyLimit: (counts) => {
    const { confirm = 0, removed = 0, deactivated = 0, renamed = 0, cleared = 0 } = counts;
    const { total = 0, limitPercent = 0 } = counts;
    const parts = [
      removed > 0 && plural(removed, 'entfernter Benutzer', 'entfernte Benutzer'),
      deactivated > 0 && plural(deactivated, 'Deaktivierung', 'Deaktivierungen'),
      renamed > 0 && plural(renamed, 'geänderte Personalnummer', 'geänderte Personalnummern'),
      cleared > 0 &&
        plural(cleared, 'geleerte Anmelde- oder Kontaktangabe', 'geleerte Anmelde- oder Kontaktangaben'),
    ].filter((part) => part !== false);
    const share = total > 0 ? ` (${formatPercent(confirm / total)})` : '';
    return `Betroffen wären ${formatNumber(confirm)} von ${users(total)}${choose(total, '', 'n')}${share}: ${listed.format(parts)}. Die Sicherheitsgrenze liegt bei ${formatPercent(limitPercent / 100)}.`;
  },

  file: {
    heading: 'Datei hochladen',
    hint: {
      update:
        'Eine Zeile pro Benutzer, zugeordnet über die Personalnummer. Name und Aktiv sind erforderlich. Jede andere Spalte aktualisiert das Feld, dem sie zugeordnet ist.',
      create:
        'Eine Zeile pro neuem Benutzer. Personalnummer, Name, Aktiv sowie eine E-Mail-Adresse oder Telefonnummer sind erforderlich.',
    },
    limit: (max) => `Bis zu ${rows(max)}.`,
    drop: 'CSV- oder Excel-Datei (.xlsx) hierher ziehen',
    choose: 'Datei auswählen',
    pasteLabel: 'Oder Zeilen aus einer Tabelle einfügen',
    pasteHint: 'Kopieren Sie die Zellen mit ihren Überschriften, klicken Sie hier, und fügen Sie sie ein.',
    pasted: 'Eingefügte Zeilen',
    template: 'Leere Vorlage herunterladen',
    templateName: { update: 'benutzer-aktualisieren.csv', create: 'benutzer-anlegen.csv' },
    reading: (name) => `${name} wird gelesen`,
    readSoFar: (count) => `Bisher ${rows(count)}`,
    cancel: 'Abbrechen',
    loaded: (name, count) => `${name}: ${rows(count)}`,
    cannotRead: (name) => `${name} konnte nicht gelesen werden`,
    unreadable:
      'Ihr Browser konnte die Datei nicht öffnen. Vergewissern Sie sich, dass sie nicht verschoben oder umbenannt wurde, und wählen Sie sie erneut aus.',
  },

  columns: {
    heading: 'Spalten zuordnen',
    hint: 'Die Spalten wurden anhand ihrer Überschriften zugeordnet. Korrigieren Sie, was nicht stimmt.',
    fieldFor: (heading) => `Feld für „${heading}“`,
    skipped: 'Diese Spalte überspringen',
    noExample: 'leer',
    list: 'Spalten der Datei',
    nameOrder: (parts) => `Namen werden zusammengesetzt als: ${parts}`,
    swapName: 'Reihenfolge tauschen',
    unknown: (headings) => `Übersprungen, weil kein Feld passt: ${headings}.`,
    emptyLabel: 'Leere Zellen',
    emptyLeaves: 'Bisherigen Wert behalten',
    emptyClears: 'Feld leeren',
    emptyHint: 'Personalnummer, Name und Aktiv werden nie geleert.',
    readOptions: 'Dateiformat',
    separator: 'Trennzeichen',
    separators: { ',': 'Komma (,)', ';': 'Semikolon (;)', '\t': 'Tabulator', '|': 'Senkrechter Strich (|)' },
    encoding: 'Zeichenkodierung',
    encodings: {
      'utf-8': 'UTF-8',
      'utf-16le': 'UTF-16',
      'utf-16be': 'UTF-16 (Big-Endian)',
      'windows-1252': 'Westeuropäisch (Windows)',
    },
    sheet: 'Tabellenblatt',
    headingRow: 'Überschriftenzeile',
    needed: 'Bevor Sie fortfahren',
    missing: (fields, kind) =>
      `${kind === 'update' ? 'Zum Aktualisieren' : 'Für neue Benutzer'} erforderlich: ${fields}. Wählen Sie die passende Spalte.`,
    contactMissing:
      'Neue Benutzer benötigen eine E-Mail-Adresse oder Telefonnummer. Wählen Sie die passende Spalte.',
    nothingMapped: 'Keine Überschrift wurde erkannt. Wählen Sie für jede Spalte ein Feld.',
    notJoined: (field) => `${field} ist mehreren Spalten zugeordnet. Wählen Sie eine.`,
    and: ' und ',
  },

  check: {
    heading: 'Änderungen prüfen',
    editHint:
      'Klicken Sie auf eine Zelle, um sie zu bearbeiten, oder wählen Sie sie aus und drücken Sie die Eingabetaste. Ihre Datei bleibt unverändert.',
    reading: 'Zeilen werden geprüft',
    previewing: (done, all) => `Vorschau für ${formatNumber(done)} von ${rows(all)}`,
    stopped: 'Die Vorschau konnte nicht erstellt werden',
    checked: 'Alle Zeilen sind geprüft. Es wurde noch nichts geändert.',
    counts: {
      changes: { update: 'zu aktualisieren', create: 'anzulegen' },
      renames: 'mit neuer Personalnummer',
      deactivates: 'zu deaktivieren',
      unchanged: 'unverändert',
      error: 'mit Fehlern',
      waiting: 'noch nicht geprüft',
    },
    show: 'Anzeigen',
    filters: { all: 'Alle', problems: 'Probleme', changes: 'Änderungen' },
    nothing: { all: 'Keine Zeilen übrig', problems: 'Keine Probleme', changes: 'Keine Änderungen' },
    table: 'Zeilen und ihre Änderungen',
    number: 'Zeile',
    state: 'Änderung',
    states: {
      error: 'Fehler',
      waiting: '…',
      unchanged: 'Keine Änderung',
      created: 'Anlegen',
      updated: 'Ändern',
      renamed: 'Neue Nummer',
      deactivated: 'Deaktivieren',
    },
    cellPrefix: (heading, row) => `${heading}, Zeile ${formatNumber(row)}:`,
    editLabel: (heading, row) => `${heading}, Zeile ${formatNumber(row)}`,
    empty: 'leer',
    was: 'bisher',
    becomes: 'neu',
    errorsSkipped: (count) =>
      choose(
        count,
        '1 Zeile ist fehlerhaft und wird übersprungen. Korrigieren Sie sie hier, oder laden Sie sie nach der Ausführung herunter.',
        `${rows(count)} sind fehlerhaft und werden übersprungen. Korrigieren Sie sie hier, oder laden Sie sie nach der Ausführung herunter.`,
      ),
    acrossChunks: (count, perChunk) =>
      `Die Zeilen werden in ${formatNumber(count)} Teilen von bis zu ${rows(perChunk)} gesendet. Die Vorschau eines Teils berücksichtigt die vorherigen nicht. Zeilen mit einer Personalnummer aus einem früheren Teil zeigen hier möglicherweise einen Fehler und gelingen trotzdem.`,
    safetyLimit: 'Sie werden um eine Bestätigung gebeten',
    deliver: 'Passwörter',
    deliverHint: (count) =>
      `${users(count)} ${choose(count, 'erhält', 'erhalten')} ein Passwort per E-Mail oder, falls es keine E-Mail-Adresse gibt, per SMS. Enthält die Datei kein Passwort, wird eines erzeugt.`,
    deliverNow: 'Jetzt senden',
    deliverHold: 'Zurückhalten, bis ein Administrator sie freigibt',
    run: {
      update: (count) => `${users(count)} aktualisieren`,
      create: (count) => `${users(count)} anlegen`,
    },
    otherTab: 'In einem anderen Tab läuft bereits ein Import',
    otherTabHint:
      'Zwei Importe gleichzeitig können sich gegenseitig stören. Warten Sie, bis der andere fertig ist, oder starten Sie diesen trotzdem.',
    runAnyway: 'Trotzdem starten',
  },

  run: {
    heading: { running: 'Läuft', stopping: 'Wird angehalten', paused: 'Angehalten', ended: 'Fertig' },
    progress: 'Fortschritt',
    sent: (done, all) => `${formatNumber(done)} von ${rows(all)}`,
    succeeded: 'erfolgreich',
    failed: 'fehlgeschlagen',
    rate: (perSecond) => `${rows(perSecond)} pro Sekunde`,
    sending: (count) => `${rows(count)} ${choose(count, 'wird', 'werden')} gesendet.`,
    stop: 'Nach diesem Teil anhalten',
    stopHint: 'Abgeschlossene Änderungen bleiben erhalten und können rückgängig gemacht werden.',
    resume: 'Fortsetzen',
    end: 'Beenden und Ergebnis anzeigen',
    paused: {
      failed: 'Es geht nicht weiter',
      interrupted: 'Der Dienst hat mittendrin aufgehört',
      stopped: 'Angehalten',
      session: 'Ihre Sitzung ist abgelaufen',
      safetyLimit: 'Bestätigen Sie diese Änderungen',
    },
    nothingTwice: 'Abgeschlossene Änderungen bleiben erhalten und werden nicht wiederholt.',
    stoppedHint: (count) => `${rows(count)} ${choose(count, 'wurde', 'wurden')} noch nicht gesendet.`,
    sessionHint: 'Melden Sie sich erneut an, um fortzufahren.',
    confirm: (count) => `${users(count)} ändern`,
    nothingDone: 'In diesem Teil wurde noch nichts geändert.',
    keepOpen: 'Lassen Sie diesen Tab geöffnet, bis alles fertig ist.',
    leaving: {
      title: 'Diese Seite verlassen?',
      hint: 'Der Import läuft weiter, solange dieser Tab geöffnet ist. Wenn eine Eingabe nötig ist, wartet er auf Ihre Rückkehr.',
      stay: 'Bleiben',
      leave: 'Seite verlassen',
    },
  },

  result: {
    heading: 'Ergebnis',
    allDone: (count) => choose(count, '1 Zeile war erfolgreich.', `Alle ${rows(count)} waren erfolgreich.`),
    counts: {
      done: 'erfolgreich',
      failed: 'fehlgeschlagen',
      planned: 'warten auf Genehmigung',
      undone: 'rückgängig gemacht',
      unknown: 'unbestätigt',
      notSent: 'nicht gesendet',
    },
    filters: {
      all: 'Alle',
      failed: 'Fehlgeschlagen',
      done: 'Erfolgreich',
      planned: 'Warten auf Genehmigung',
      undone: 'Rückgängig gemacht',
      unknown: 'Unbestätigt',
      notSent: 'Nicht gesendet',
    },
    states: {
      done: 'Erfolgreich',
      failed: 'Fehlgeschlagen',
      planned: 'Wartend',
      undone: 'Rückgängig gemacht',
      unknown: 'Unbestätigt',
      notSent: 'Nicht gesendet',
    },
    unknownHint: (count) =>
      `Der Dienst hat ${rows(count)} nicht bestätigt. Prüfen Sie sie erneut: Bei übernommenen Zeilen erscheint „Keine Änderung“ oder eine bereits vergebene Personalnummer.`,
    table: 'Zeilen und ihre Ergebnisse',
    state: 'Ergebnis',
    nothing: 'Keine Treffer',
    download: (count) => `${plural(count, 'fehlgeschlagene Zeile', 'fehlgeschlagene Zeilen')} herunterladen`,
    downloadHint:
      'Sie erhalten eine CSV-Datei mit einer Spalte „Problem“. Korrigieren Sie die Zeilen, und laden Sie die Datei erneut hoch.',
    downloadName: (file) => `fehlgeschlagen-${file.replace(/\.[^.]*$/, '')}.csv`,
    problemColumn: 'Problem',
    fix: 'Hier korrigieren',
    runRest: (count) => `Mit ${choose(count, 'der letzten Zeile', `den übrigen ${rows(count)}`)} fortfahren`,
    runAgain: 'Rückgängig gemachte Zeilen erneut ausführen',
    undo: 'Alle Änderungen rückgängig machen',
    calls: 'Teile',
    call: (number, succeeded, failed) =>
      `Teil ${formatNumber(number)}: ${formatNumber(succeeded)} erfolgreich, ${formatNumber(failed)} fehlgeschlagen`,
    plannedCall: (number, planned, failed) =>
      `Teil ${formatNumber(number)}: ${formatNumber(planned)} warten auf Genehmigung, ${formatNumber(failed)} fehlgeschlagen`,
    plannedTitle: 'Wartet auf Genehmigung',
    plannedHint: (count) =>
      choose(
        count,
        '1 Zeile überschreitet die Sicherheitsgrenze und muss von jemand anderem genehmigt werden. Für sie hat sich noch nichts geändert.',
        `${rows(count)} überschreiten die Sicherheitsgrenze und müssen von jemand anderem genehmigt werden. Für sie hat sich noch nichts geändert.`,
      ),
    undone: 'rückgängig gemacht',
    inActivity: 'Unter „Aktivität“ anzeigen',
  },
};
