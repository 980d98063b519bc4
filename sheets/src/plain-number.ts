/** A number without an exponent: 1.2E+3 is 1200. Works on the text, because a double would lose digits. */
export function plainNumber(text: string): string {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text.trim());
  if (match === null) return text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const shift = Number(exponent);
  if (Math.abs(shift) > 400) return text; // beyond what a cell can contain, and not worth a text of that length
  const digits = (whole + fraction).padEnd(whole.length + shift, '0');
  const point = whole.length + shift;
  const before = (point > 0 ? digits.slice(0, point) : '').replace(/^0+(?=\d)/, '') || '0';
  const after = (point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits).replace(/0+$/, '');
  const isZero = before === '0' && after === '';
  return `${sign === '-' && !isZero ? '-' : ''}${before}${after === '' ? '' : `.${after}`}`;
}

/** Spreadsheets keep this many digits. Further digits became zeros when the number was entered. */
const exactDigits = 15;

/**
 * Whether a number is certainly the one that was entered. Whole numbers may have 15 digits, including trailing zeros.
 * Fractions are written with 17 digits, so 1.1 is stored as 1.1000000000000001, which is the same double.
 */
export function isExactNumber(text: string): boolean {
  const [, whole = '', fraction = ''] = /^-?(\d+)(?:\.(\d+))?$/.exec(plainNumber(text)) ?? [];
  if (whole === '' || whole.length > exactDigits) return false;
  if ((whole + fraction).replace(/^0+/, '').length <= exactDigits) return true;
  return Number(Number(text).toPrecision(exactDigits)) === Number(text);
}
