import { isText, type Row } from './row.js';

/** Errors of Excel in English and in languages with different names, followed by those of LibreOffice. */
const errorTexts = new RegExp(
  `^\\s*(?:#(?:${[
    'N/A|REF!|VALUE!|NAME\\?|DIV/0!|NULL!|NUM!|SPILL!|CALC!',
    'FIELD!|BLOCKED!|BUSY!|CONNECT!|EXTERNAL!|PYTHON!|UNKNOWN!|GETTING_DATA',
    'BEZUG!|WERT!|NV|ZAHL!|ÜBERLAUF!|KALK!|FELD!', // German
    'VALEUR!|NOM\\?|NOMBRE!|NUL!|N/D|PROPAGATION!', // French
    '¡(?:VALOR|REF|NUM|NULO|DIV/0|DESBORDAMIENTO)!|¿NOMBRE\\?', // Spanish
    'VALORE!|RIF!|NOME\\?|NULLO!|VALOR!|NÚM!|NULO!', // Italian, Portuguese
    'WAARDE!|VERW!|NAAM\\?|GETAL!|LEEG!|N/B', // Dutch
    'ARG!|ADR!|NAZWA\\?|LICZBA!|ZERO!|DZIEL/0!|N/D!', // Polish
  ].join('|')})|#{3,}|Err:5\\d\\d)\\s*$`,
  'iu',
);

/**
 * What a spreadsheet displays where a formula failed or a number didn't fit into its column (####), with or without
 * surrounding spaces. It would pass for a name.
 */
export function isErrorText(text: string): boolean {
  return errorTexts.test(text);
}

/** The first cell in these columns that contains a formula error, unless it is marked as text. */
export function errorIn(row: Pick<Row, 'cells' | 'notes'>, columns: readonly number[]): string | undefined {
  for (const column of columns) {
    const text = row.cells[column]?.trim() ?? '';
    if (isErrorText(text) && !isText(row, [column])) return text;
  }
  return undefined;
}
