import type { importCopy as english } from '../en/import.js';
import { formatNumber, formatPercent } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural, users } from './plural.js';

const rows = (count: number) => plural(count, 'Zeile', 'Zeilen');
const invalidRows = (count: number) => plural(count, 'ungültige Zeile', 'ungültige Zeilen');
const listed = new Intl.ListFormat('de', { type: 'conjunction' });

/** `12 von 340 aktiven Benutzern (3,5 %) fehlen in dieser Datei`. */
const missingOf = (missing: number, active: number, percent: string) =>
  `${formatNumber(missing)} von ${plural(active, 'aktiven Benutzer', 'aktiven Benutzern')} (${percent}\u00a0%) ${choose(missing, 'fehlt', 'fehlen')} in dieser Datei`;

export const importCopy: Translation<typeof english> = {
  title: 'Benutzer importieren',
  section: {
    running: (percent) => formatPercent(percent / 100),
    done: '✓ Fertig',
    paused: 'Angehalten',
  },
  stepsLabel: 'Schritte',
  steps: {
    file: 'Datei',
    columns: 'Spalten',
    names: 'Namen',
    check: 'Prüfen',
    run: 'Ausführen',
    result: 'Ergebnis',
  },
  next: 'Weiter',
  back: 'Zurück',
  startOver: 'Andere Datei importieren',
  duplicateEmployeeID: (row) => `Diese Personalnummer steht auch in Zeile ${formatNumber(row)}.`,
  contactRequired: 'Ein Benutzer benötigt eine E-Mail-Adresse oder eine Telefonnummer.',
  nameRequired: 'Der Name fehlt. Ein neuer Benutzer benötigt einen.',
  managerNotById: 'Die Spalte muss Personalnummern enthalten, keine Namen.',
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
    heading: 'Datei auswählen',
    hint: 'Zu neuen Personalnummern werden Benutzer angelegt, vorhandene Benutzer werden aktualisiert. Es genügt eine Datei mit der Personalnummer und einer weiteren Spalte. Felder ohne Spalte bleiben unverändert.',
    limit: (max) => `Bis zu ${rows(max)}.`,
    safe: 'Sie sehen zuerst eine Vorschau. Es ändert sich nichts, bevor Sie sie bestätigen.',
    drop: 'CSV- oder Excel-Datei (.xlsx) hierher ziehen',
    choose: 'Datei auswählen',
    pasteLabel: 'Oder Zeilen aus einer Tabelle einfügen',
    pasteHint: 'Kopieren Sie die Zellen mit ihren Überschriften, klicken Sie hier, und fügen Sie sie ein.',
    pasted: 'Eingefügte Zeilen',
    template: 'Leere Vorlage herunterladen',
    templateName: 'benutzer-importieren.csv',
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
    letter: 'Spalte',
    inFile: 'In der Datei',
    examples: 'Erste Werte',
    field: 'Feld',
    fieldFor: (heading) => `Feld für „${heading}“`,
    skipped: 'Diese Spalte überspringen',
    skippedColumns: (count, names) =>
      `${plural(count, 'Spalte wird', 'Spalten werden')} übersprungen: ${names}`,
    takeAs: (field) => `Als ${field} verwenden`,
    takeAsFor: (field, heading) => `Als ${field} verwenden: „${heading}“`,
    managerEmployeeID: 'Führungskraft (Personalnummer)',
    addAttribute: 'Als Attribut hinzufügen…',
    addAttributeFor: (heading) => `Als Attribut hinzufügen: „${heading}“`,
    attributesHint:
      'Spalten ohne Feld können zu Attributen werden, die Administratoren in den Einstellungen hinzufügen.',
    noExample: 'leer',
    list: 'Spalten der Datei',
    nameOrder: (parts) => `Namen werden zusammengesetzt als: ${parts}`,
    swapName: 'Reihenfolge tauschen',
    emptyLabel: 'Leere Zellen',
    emptyLeaves: 'Bisherigen Wert behalten',
    emptyClears: 'Feld leeren',
    emptyHint: 'Personalnummer, Name und Aktiv werden nie geleert.',
    missingLabel: 'Benutzer deaktivieren, die nicht in dieser Datei stehen',
    missingHint:
      'Nur für Dateien, in denen alle stehen. Sie sehen die betroffenen Benutzer, bevor sich etwas ändert, und weder Sie selbst noch Benutzer mit einer Rolle gehören dazu. Benutzer in der Datei werden aktiviert, sofern sie keine Spalte dafür enthält.',
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
    idMissing: 'Wählen Sie die Spalte mit der Personalnummer.',
    onlyID: 'Wählen Sie für mindestens eine weitere Spalte ein Feld.',
    nothingMapped: 'Keine Überschrift wurde erkannt. Wählen Sie für jede Spalte ein Feld.',
    notJoined: (field) => `${field} ist mehreren Spalten zugeordnet. Wählen Sie eine.`,
    and: ' und ',
  },

  names: {
    heading: 'Namen zuordnen',
    hint: 'Diese Organisationen und Schlagwörter der Datei sind nicht im Verzeichnis, oder mehrere heißen so. Legen Sie fest, was jeder Name bedeutet. Wenn Sie eine Organisation auslassen, behalten die Benutzer ihre bisherige; ein ausgelassenes Schlagwort wird nicht beachtet. Rollcall merkt sich das für die nächste Datei.',
    strict:
      'Legen Sie neue Organisationen und Schlagwörter zuerst unter „Organisationen“ und „Schlagwörter“ an.',
    rows: (count, first) =>
      count === 1
        ? `Zeile ${formatNumber(first)}.`
        : `${rows(count)}, zuerst in Zeile ${formatNumber(first)}.`,
    ambiguous: 'Mehrere heißen so.',
    meaning: (name) => `Bedeutung von „${name}“`,
    choose: 'Auswählen…',
    proposed: 'Vorschlag, weil sich nur die Schreibweise unterscheidet.',
    use: (entry) => `${entry} verwenden`,
    useOther: 'Anderen Eintrag verwenden…',
    useExisting: 'Vorhandenen Eintrag verwenden…',
    existing: { organizations: 'Vorhandene Organisation', tags: 'Vorhandenes Schlagwort' },
    create: { organizations: 'Neue Organisation anlegen', tags: 'Neues Schlagwort anlegen' },
    leaveOut: 'Auslassen',
    createAll: (count) => `Alle ${formatNumber(count)} anlegen`,
    leaveOutAll: (count) => `Alle ${formatNumber(count)} auslassen`,
    recognized: 'Unter anderem Namen erkannt',
    decidedBefore: (entry) => `${entry}, wie zuvor festgelegt`,
    leftOutBefore: 'Ausgelassen, wie zuvor festgelegt',
    former: (entry) => `${entry}, hieß früher so`,
    showMore: (count) => `${formatNumber(count)} weitere anzeigen`,
    left: (count) =>
      count === 0 ? 'Jeder Name ist zugeordnet.' : `Noch ${plural(count, 'Name', 'Namen')} zuzuordnen.`,
    failed: 'Die Organisationen und Schlagwörter konnten nicht nachgeschlagen werden',
  },

  check: {
    heading: 'Änderungen prüfen',
    editHint:
      'Klicken Sie auf eine Zelle, um sie zu bearbeiten, oder gehen Sie mit den Pfeiltasten dorthin und drücken Sie die Eingabetaste. Klicken Sie auf eine Überschrift, um zu suchen und zu ersetzen, oder auf eine Zeilennummer, um zu sehen, was die Zeile ändert, oder sie auszulassen (Entf). Ihre Datei bleibt unverändert.',
    leaveOutRow: 'Diese Zeile auslassen',
    leftOutRows: (count) => `${rows(count)} ausgelassen.`,
    takeBackRows: 'Wieder aufnehmen',
    onlyProblemColumns: 'Nur Spalten mit Problemen',
    undoEdit: (heading, count) =>
      choose(
        count,
        `Änderung unter „${heading}“ rückgängig machen`,
        `Änderung von ${rows(count)} unter „${heading}“ rückgängig machen`,
      ),
    edited: (row, state, problem) => `Zeile ${formatNumber(row)}: ${state}. ${problem}`.trim(),
    user: (name, employeeID) => `${name} (${employeeID})`,
    use: (text) => `${text} verwenden`,
    inNewTab: 'Wird in einem neuen Tab geöffnet',
    reading: 'Zeilen werden geprüft',
    listing: (count) => `Benutzer, die nicht in der Datei stehen, werden gesucht: bisher ${users(count)}`,
    previewing: (done, all) => `${formatNumber(done)} von ${rows(all)} geprüft`,
    stopped: 'Die Zeilen konnten nicht geprüft werden',
    checked: 'Alle Zeilen sind geprüft. Es wurde noch nichts geändert.',
    filter: 'Zeilen anzeigen',
    counts: {
      all: 'Alle',
      toReview: 'Zu prüfen',
      created: 'Neu',
      updated: 'Geändert',
      renamed: 'Neue Personalnummer',
      deactivated: 'Deaktiviert',
      reactivated: 'Reaktiviert',
      unchanged: 'Unverändert',
      invalid: 'Ungültig',
      waiting: 'Noch nicht geprüft',
      warnings: 'Mit Warnungen',
    },
    nothing: 'Keine Zeilen',
    table: 'Zeilen und ihre Änderungen',
    number: 'Zeile',
    notInFile: 'Nicht in der Datei',
    state: 'Änderung',
    states: {
      created: 'Neu',
      updated: 'Geändert',
      renamed: 'Neue Nummer',
      deactivated: 'Deaktiviert',
      reactivated: 'Reaktiviert',
      unchanged: 'Unverändert',
      invalid: 'Ungültig',
      waiting: '…',
    },
    details: (row) => `Einzelheiten zu Zeile ${formatNumber(row)}`,
    detailsOf: (employeeID) => `Einzelheiten zu ${employeeID}`,
    cellPrefix: (heading, row) => `${heading}, Zeile ${formatNumber(row)}:`,
    editLabel: (heading, row) => `${heading}, Zeile ${formatNumber(row)}`,
    empty: 'leer',
    inFile: 'In der Datei:',
    was: 'bisher',
    becomes: 'neu',
    keepActive: 'Aktiv lassen',
    keepActiveLabel: (name) => `Aktiv lassen: ${name}`,
    notInFileColumn: 'Nicht in der Datei',
    kept: (count) =>
      choose(
        count,
        '1 Benutzer, der nicht in der Datei steht, bleibt aktiv.',
        `${users(count)}, die nicht in der Datei stehen, bleiben aktiv.`,
      ),
    sparedRoles: (count) =>
      choose(
        count,
        '1 Benutzer, der nicht in der Datei steht, bleibt aktiv, weil er eine Rolle hat.',
        `${users(count)}, die nicht in der Datei stehen, bleiben aktiv, weil sie eine Rolle haben.`,
      ),
    keepNobody: 'Doch deaktivieren',
    invalidHint: (count) =>
      choose(
        count,
        '1 Zeile ist ungültig und wird übersprungen. Korrigieren Sie sie hier, oder laden Sie sie herunter.',
        `${rows(count)} sind ungültig und werden übersprungen. Korrigieren Sie sie hier, oder laden Sie sie herunter.`,
      ),
    acrossChunks: (count, perChunk) =>
      `Die Zeilen werden in ${formatNumber(count)} Teilen von bis zu ${rows(perChunk)} gesendet. Die Prüfung eines Teils berücksichtigt die vorherigen nicht. Zeilen mit einer Personalnummer aus einem früheren Teil sind hier möglicherweise ungültig und gelingen trotzdem.`,
    safetyLimit: 'Sie werden um eine Bestätigung gebeten',
    lostZeros: (from, to, count) =>
      choose(
        count,
        `Hat eine Tabellenkalkulation führende Nullen entfernt? Es gibt den Benutzer ${to}, in der Datei steht aber ${from}.`,
        `Hat eine Tabellenkalkulation führende Nullen entfernt? Für ${rows(count)}, zum Beispiel ${from}, gibt es einen Benutzer mit Nullen: ${to}.`,
      ),
    lostZerosFix: (from, to, count) =>
      choose(count, `${from} → ${to} ändern`, `${from} → ${to} in ${rows(count)} ändern`),
    sameText: (heading, from, count) =>
      `„${from}“ steht unter ${heading} in ${plural(count, 'weiteren Zeile', 'weiteren Zeilen')}.`,
    sameTextFix: (from, to, count) =>
      choose(
        count,
        `Auch dort „${from}“ → „${to}“ ändern`,
        `„${from}“ → „${to}“ in allen ${rows(count)} ändern`,
      ),
    dismiss: 'Nein',
    missing: (missing, active, percent) =>
      `${missingOf(missing, active, percent)} und ${choose(missing, 'wird', 'werden')} deaktiviert.`,
    tooManyMissing: (missing, active, percent, max) =>
      `${missingOf(missing, active, percent)}, aber höchstens ${formatPercent(max / 100)} dürfen deaktiviert werden. Ist die Datei vollständig?`,
    tooManyMissingTitle: 'Zu viele Benutzer fehlen',
    percentLabel: 'Höchstens deaktivieren (%)',
    raise: (percent) => `${formatPercent(percent / 100)} zulassen`,
    unreadableIDs: (count) =>
      choose(
        count,
        '1 Zeile hat keine gültige Personalnummer, deshalb lässt sich nicht feststellen, wer fehlt. Korrigieren Sie sie zuerst.',
        `${rows(count)} haben keine gültige Personalnummer, deshalb lässt sich nicht feststellen, wer fehlt. Korrigieren Sie sie zuerst.`,
      ),
    options: 'Optionen',
    deliver: 'Passwörter',
    deliverHint: (count) =>
      `${users(count)} ${choose(count, 'erhält', 'erhalten')} ein Passwort per E-Mail oder, falls es keine E-Mail-Adresse gibt, per SMS. Enthält die Datei kein Passwort, wird eines erzeugt.`,
    deliverNow: 'Jetzt senden',
    deliverHold: 'Zurückhalten, bis ein Administrator sie freigibt',
    when: 'Wann',
    now: 'Jetzt ausführen',
    onDate: 'An einem bestimmten Tag ausführen',
    approval: 'Genehmigung anfordern',
    day: 'Datum',
    dayHint: 'Zu Beginn des Tages, in der Zeitzone des Dienstes.',
    notBefore: 'Frühestens am (optional)',
    planHint:
      'Der Import tut, was Sie hier sehen. Zeilen, deren Ergebnis sich bis dahin geändert hat, werden übersprungen und gemeldet.',
    approvalHint: 'Jemand anderes, der Benutzer ändern darf, muss den Import genehmigen.',
    planTooLarge: (max) =>
      `Nur Importe mit bis zu ${rows(max)} können geplant werden, weil sie aus einer einzigen Sammeländerung bestehen müssen. Teilen Sie die Datei auf.`,
    note: 'Notiz (optional)',
    noteHint: 'Wird bei diesem Import unter „Aktivität“ angezeigt.',
    run: {
      now: (count) => `${users(count)} importieren…`,
      date: (count) => `Für ${users(count)} planen…`,
      approval: (count) => `Genehmigung für ${users(count)} anfordern…`,
    },
    nothingToRun: 'Nichts zu ändern',
    otherTab: 'In einem anderen Tab läuft bereits ein Import',
    otherTabHint:
      'Zwei Importe gleichzeitig können sich gegenseitig stören. Warten Sie, bis der andere fertig ist, oder starten Sie diesen trotzdem.',
    runAnyway: 'Trotzdem starten',
  },

  invalid: {
    download: (count) => `${invalidRows(count)} herunterladen`,
    asWorkbook: 'Excel-Arbeitsmappe (.xlsx)',
    asCsv: (separator, encoding) => `CSV: ${separator}, ${encoding}`,
    hint: 'In der heruntergeladenen Datei nennt die Spalte „Problem“, was zu korrigieren ist. Importieren Sie sie danach.',
    fileName: (file) => `fehlerhaft-${file.replace(/\.[^.]*$/, '')}`,
    problemColumn: 'Problem',
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
    notify: 'Nach Abschluss benachrichtigen',
    notifyOn: 'Sie werden nach Abschluss benachrichtigt.',
    notifyOff: 'Ihr Browser blockiert Benachrichtigungen dieser Website.',
    announceDone: (file) => `Import abgeschlossen: ${file}`,
    announcePaused: 'Der Import wartet auf Ihre Eingabe.',
    resume: 'Fortsetzen',
    end: 'Beenden und Ergebnis anzeigen',
    paused: {
      failed: 'Es geht nicht weiter',
      interrupted: 'Der Dienst hat mittendrin aufgehört',
      stopped: 'Import angehalten',
      session: 'Ihre Sitzung wurde beendet',
      safetyLimit: 'Bestätigen Sie diese Änderungen',
    },
    nothingTwice: 'Abgeschlossene Änderungen bleiben erhalten und werden nicht wiederholt.',
    stoppedHint: (count) => `${rows(count)} ${choose(count, 'wurde', 'wurden')} noch nicht gesendet.`,
    sessionHint: 'Melden Sie sich erneut an, um den Import fortzusetzen.',
    confirm: (count) => `${users(count)} ändern`,
    nothingDone: 'In diesem Teil wurde noch nichts geändert.',
    keepOpen: 'Lassen Sie diesen Tab geöffnet, bis der Import fertig ist.',
    leaving: {
      title: 'Diese Seite verlassen?',
      hint: 'Der Import läuft weiter, solange dieser Tab geöffnet ist. Wenn eine Eingabe nötig ist, wartet er auf Ihre Rückkehr.',
      stay: 'Bleiben',
      leave: 'Seite verlassen',
    },
  },

  result: {
    heading: 'Ergebnis',
    allDone: (count) => `Import abgeschlossen: ${users(count)}.`,
    filter: 'Zeilen anzeigen',
    counts: {
      all: 'Alle',
      created: 'Neu',
      updated: 'Geändert',
      renamed: 'Neue Personalnummer',
      deactivated: 'Deaktiviert',
      reactivated: 'Reaktiviert',
      planned: 'Geplant',
      unchanged: 'Unverändert',
      invalid: 'Ungültig',
      undone: 'Rückgängig gemacht',
      unknown: 'Unbestätigt',
      notSent: 'Nicht gesendet',
    },
    states: {
      created: 'Neu',
      updated: 'Geändert',
      renamed: 'Neue Nummer',
      deactivated: 'Deaktiviert',
      reactivated: 'Reaktiviert',
      planned: 'Geplant',
      unchanged: 'Unverändert',
      invalid: 'Ungültig',
      undone: 'Rückgängig gemacht',
      unknown: 'Unbestätigt',
      notSent: 'Nicht gesendet',
    },
    unknownHint: (count) =>
      `Der Dienst hat ${rows(count)} nicht bestätigt. Prüfen Sie sie erneut: Bei übernommenen Zeilen erscheint keine Änderung oder eine bereits vergebene Personalnummer.`,
    table: 'Zeilen und ihre Ergebnisse',
    state: 'Ergebnis',
    nothing: 'Keine Zeilen',
    fix: (count) => `${invalidRows(count)} hier korrigieren`,
    runRest: (count) => `Mit ${choose(count, 'der letzten Zeile', `den übrigen ${rows(count)}`)} fortfahren`,
    runAgain: 'Rückgängig gemachte Zeilen erneut ausführen',
    undo: 'Diesen Import rückgängig machen',
    calls: 'Teile',
    call: (number, succeeded, failed) =>
      `Teil ${formatNumber(number)}: ${formatNumber(succeeded)} erfolgreich, ${formatNumber(failed)} fehlgeschlagen`,
    plannedCall: (number, planned, failed) =>
      `Teil ${formatNumber(number)}: ${formatNumber(planned)} geplant, ${formatNumber(failed)} fehlgeschlagen`,
    plannedTitle: {
      now: 'Wartet auf Genehmigung',
      date: (day) => `Geplant für den ${day}`,
      approval: 'Wartet auf Genehmigung',
      approvalFrom: (day) => `Wartet auf Genehmigung, dann am ${day}`,
    },
    plannedHint: {
      now: (count) =>
        choose(
          count,
          '1 Zeile überschreitet die Sicherheitsgrenze und muss von jemand anderem genehmigt werden. Für sie hat sich noch nichts geändert.',
          `${rows(count)} überschreiten die Sicherheitsgrenze und müssen von jemand anderem genehmigt werden. Für sie hat sich noch nichts geändert.`,
        ),
      date: (count) =>
        `Bisher hat sich nichts geändert. ${rows(count)} ${choose(count, 'wird', 'werden')} an diesem Tag so angewendet, wie Sie sie geprüft haben.`,
      approval: (count) =>
        `Bisher hat sich nichts geändert. ${rows(count)} ${choose(count, 'wird', 'werden')} angewendet, sobald jemand anderes sie genehmigt hat.`,
    },
    plannedView: 'Geplante Änderung anzeigen',
    undone: (part) => `${part} (rückgängig gemacht)`,
    inActivity: 'Unter „Aktivität“ anzeigen',
  },
};
