import { isErrorText } from './error-texts.js';

/**
 * A list in a cell. One with line breaks in it has an entry a line, and may have commas in its entries; what neither
 * commas nor lines can hold is written as JSON.
 */
export function parseList(text: string): readonly string[] {
  const written = text.startsWith('["') && text.endsWith('"]') ? parseJson(text) : undefined;
  if (written !== undefined) return written;
  const separator = /[\r\n]/.test(text) ? /[\r\n]+/ : /[,;|]/;
  return text
    .split(separator)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/**
 * The text of a cell that is read as exactly these entries: the most readable one that is. A line break behind a single
 * entry would do where it has a comma, but nobody sees it, and many programs take it off.
 */
export function listCell(values: readonly string[]): string {
  const readable = [values.join(', '), values.join('\n')];
  return readable.find((text) => isReadAs(text, values)) ?? JSON.stringify(values);
}

function isReadAs(text: string, values: readonly string[]): boolean {
  if (isErrorText(text)) return false;
  const entries = parseList(text);
  return entries.length === values.length && entries.every((entry, at) => entry === values[at]);
}

function parseJson(text: string): readonly string[] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.every((value) => typeof value === 'string') ? values : undefined;
  } catch {
    return undefined;
  }
}
