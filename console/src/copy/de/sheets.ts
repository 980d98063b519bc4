import type { sheetsCopy as english } from '../en/sheets.js';
import { formatBytes, formatNumber } from '../format.js';
import type { Translation } from '../translation.js';
import { choose, plural } from './plural.js';

const asText = 'Formatieren Sie die Spalte als Text, und geben Sie den Wert neu ein.';
const calculate = 'Öffnen Sie die Datei in Excel, und speichern Sie sie, damit Formeln berechnet werden.';

/** A column of the file: its letter, and its heading if it has one. */
const column = (letter: string, heading: string | undefined) =>
  heading === undefined ? `Spalte ${letter}` : `Spalte ${letter} „${heading}“`;

export const sheetsCopy: Translation<typeof english> = {
  kinds: {
    pdf: 'Das sieht nach einem PDF-Dokument aus.',
    png: 'Das sieht nach einem Bild aus.',
    jpeg: 'Das sieht nach einem Bild aus.',
    gif: 'Das sieht nach einem Bild aus.',
    xls: 'Das sieht nach einer alten Excel-Arbeitsmappe (.xls) aus.',
    encrypted: 'Diese Arbeitsmappe ist durch ein Passwort geschützt.',
    xlsb: 'Das sieht nach einer binären Excel-Arbeitsmappe (.xlsb) aus.',
    ods: 'Das sieht nach einer OpenDocument-Tabelle (.ods) aus.',
    numbers: 'Das sieht nach einer Tabelle von Apple Numbers aus.',
    docx: 'Das sieht nach einem Textdokument aus.',
    zip: 'Das sieht nach einem ZIP-Archiv aus.',
    gzip: 'Das sieht nach einer komprimierten Datei aus.',
    html: 'Das sieht nach einer Webseite aus.',
    xml: 'Das sieht nach einer XML-Datei aus.',
    rtf: 'Das sieht nach einem Textdokument aus.',
    binary: 'Das ist keine Tabelle.',
  },
  saveAs: (what) => `${what} Speichern Sie Ihre Tabelle als CSV-Datei oder als Excel-Arbeitsmappe (.xlsx).`,
  empty: 'Die Datei ist leer.',
  onlyHeadings:
    'Die Datei enthält Überschriften, aber keine Zeilen darunter. Falls Sie darin Zeilen sehen, speichern Sie sie neu als CSV-Datei oder als Excel-Arbeitsmappe (.xlsx).',
  chooseTable: (what) =>
    `${what} Wählen Sie stattdessen eine CSV-Datei oder eine Excel-Arbeitsmappe (.xlsx).`,
  encodingMixed: (utf8Line, otherLine) =>
    `Die Datei mischt zwei Zeichencodierungen: Zeile ${formatNumber(utf8Line)} ist in UTF-8, Zeile ${formatNumber(otherLine)} nicht. Manche Namen würden beschädigt. Speichern Sie die ganze Datei als „CSV UTF-8“ oder als Excel-Arbeitsmappe (.xlsx).`,
  encodingBroken: (line, encoding) =>
    `Zeile ${formatNumber(line)} ist kein gültiges ${encoding}. Speichern Sie die Datei als „CSV UTF-8“ oder als Excel-Arbeitsmappe (.xlsx).`,
  quoteUnfinished: (line) =>
    `In Zeile ${formatNumber(line)} wird ein Anführungszeichen (") nie geschlossen. Schließen oder entfernen Sie es.`,
  rowTooLong: (line, max) =>
    `Zeile ${formatNumber(line)} ist länger als ${formatNumber(max)} Zeichen. Wahrscheinlich ist weiter oben ein Anführungszeichen (") nicht geschlossen.`,
  cellTooLong: (max) =>
    `Eine Zelle hat mehr als ${formatNumber(max)} Zeichen, was keine Tabellenkalkulation schreibt. Speichern Sie die Datei in einer solchen neu.`,
  tooManyColumns: (max) =>
    `Die Datei hat mehr als ${plural(max, 'Spalte', 'Spalten')}. Entfernen Sie die, die Sie nicht benötigen.`,
  tooManyRows: (max) =>
    `Die Datei hat mehr als ${plural(max, 'Zeile', 'Zeilen')}. Teilen Sie sie in mehrere Dateien auf.`,
  jsonBroken: (line) => `Die Datei sieht nach JSON aus, aber Zeile ${formatNumber(line)} ist ungültig.`,
  sheetUnknown: (sheet, sheets) =>
    `Die Arbeitsmappe hat kein Tabellenblatt „${sheet}“. Vorhanden sind: ${sheets.join(', ')}.`,
  damaged:
    'Die Arbeitsmappe ist beschädigt. Öffnen Sie sie in einer Tabellenkalkulation, und speichern Sie sie neu.',
  tooLarge: (maxBytes) =>
    `Die Arbeitsmappe ist entpackt größer als ${formatBytes(maxBytes)}. Speichern Sie das Tabellenblatt als CSV-Datei.`,

  columnNumber: (column) => `Spalte ${formatNumber(column)}`,
  warnings: {
    doubled: (heading, letters) => `Die Spalten ${letters} heißen alle „${heading}“.`,
    numberFormat: (letter, heading, row) =>
      `${column(letter, heading)} zeigt Zahlen anders an, als sie gespeichert sind, zuerst in Zeile ${formatNumber(row)}. Zeilen mit abweichenden Ziffern sind ungültig. Formatieren Sie die Spalte als Text.`,
    longNumber: (letter, heading, row) =>
      `${column(letter, heading)} enthält Zahlen mit mehr Ziffern, als eine Tabellenkalkulation speichert, zuerst in Zeile ${formatNumber(row)}. Formatieren Sie die Spalte als Text, und geben Sie die Werte neu ein.`,
    formula: (letter, heading, row) =>
      `${column(letter, heading)} enthält Formeln ohne Ergebnis, zuerst in Zeile ${formatNumber(row)}. Öffnen Sie die Datei in Excel, und speichern Sie sie, damit Formeln berechnet werden.`,
    noHeading: (letter, row) =>
      `Spalte ${letter} enthält Werte, hat aber keine Überschrift, zuerst in Zeile ${formatNumber(row)}. Sie wird übersprungen.`,
    hiddenRows: (count, row) =>
      `Das Tabellenblatt hat ${plural(count, 'ausgeblendete Zeile', 'ausgeblendete Zeilen')}, beginnend mit Zeile ${formatNumber(row)}. Ausgeblendete Zeilen werden mit importiert.`,
    merged: (ranges) => `Verbundene Zellen (${ranges}): Nur die erste Zelle jeder Gruppe hat einen Wert.`,
    mergedMany: (count, ranges) =>
      `${plural(count, 'Gruppe', 'Gruppen')} verbundener Zellen (${ranges} und weitere): Nur die erste Zelle jeder Gruppe hat einen Wert.`,
  },
  columnTwice: (column, fields) =>
    `„${column}“ ist mehreren Feldern zugeordnet: ${fields.join(', ')}. Wählen Sie eines.`,
  fieldNotAccepted: (field) => `${field} kann hier nicht gesetzt werden. Überspringen Sie diese Spalte.`,
  columnUnknown: (field) => `Die Spalte für ${field} gibt es nicht mehr. Wählen Sie eine andere.`,

  formulaError: (text) => `Die Zelle enthält ${text}, einen Formelfehler.`,
  someFormulaError: 'Die Zelle enthält einen Formelfehler.',
  uncertain: {
    FORMULA_NOT_CALCULATED: `Die Zelle ist eine Formel, deren Ergebnis nicht in der Datei steht. ${calculate}`,
    NUMBER_NOT_EXACT: `Die Zahl hat mehr Ziffern, als exakt gespeichert werden können; die letzten sind möglicherweise falsch. ${asText}`,
    NUMBER_FORMAT: `Das Zahlenformat zeigt etwas anderes an als die Zahl. ${asText}`,
    DATE: `Die Zelle ist ein Datum. ${asText}`,
    BOOLEAN: `Die Zelle ist ein Wahrheitswert, kein Text. ${asText}`,
    LIST: 'Die Zelle ist eine Liste. Geben Sie einen einzelnen Wert ein.',
    MERGED:
      'Die Zelle gehört zu verbundenen Zellen. Heben Sie die Verbindung auf, und füllen Sie jede Zeile aus.',
    KEY_TWICE: 'Der Wert kommt zweimal vor. Behalten Sie den richtigen.',
    MALFORMED:
      'Die Zelle kann nicht gelesen werden. Öffnen Sie die Datei in Excel, prüfen Sie die Zelle, und speichern Sie die Datei.',
    SHORTENED: (text) =>
      `${text} ist eine lange Zahl, die eine Tabellenkalkulation gekürzt hat. Formatieren Sie die Spalte als Text, geben Sie den Wert neu ein, und speichern Sie die Datei.`,
    CUT_OFF: 'Die Zeile endet vor dieser Spalte. Geben Sie jeder Zeile gleich viele Zellen.',
    NOT_IN_TABLE: (text) => `„${text}“ steht nicht in der Wertetabelle dieser Spalte.`,
    DATE_FORMAT: (text) => `„${text}“ ist kein Datum im Format dieser Spalte.`,
  },
  nameUnknown: (name) =>
    `„${name}“ ist nicht im Verzeichnis. Korrigieren Sie den Namen, oder legen Sie im Schritt „Namen“ fest, was er bedeutet.`,
  cellsStray: (texts) =>
    `Die Zeile hat mehr Zellen, als es Überschriften gibt: ${texts.map((text) => `„${text}“`).join(', ')}.`,
  cellsMissing: (count) =>
    choose(
      count,
      'Die Zeile hat eine Zelle weniger, als es Überschriften gibt.',
      `Die Zeile hat ${formatNumber(count)} Zellen weniger, als es Überschriften gibt.`,
    ),
  quoteStray:
    'Die Zelle beginnt mit einem Anführungszeichen, endet aber nicht damit. Sie wird unverändert übernommen.',
};
