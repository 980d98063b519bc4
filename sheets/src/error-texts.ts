const errorTexts =
  /^\s*#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|BEZUG!|WERT!|NV|ZAHL!)\s*$/i;

/** What a spreadsheet shows where a formula failed, spaces around it or not: it would pass for a name. */
export function isErrorText(text: string): boolean {
  return errorTexts.test(text);
}
