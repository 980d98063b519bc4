const errorTexts = /^#(?:N\/A|REF!|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!|BEZUG!|WERT!|NV|ZAHL!)$/i;

/** What a spreadsheet shows where a formula failed: it would pass for a name. */
export function isErrorText(text: string): boolean {
  return errorTexts.test(text);
}
