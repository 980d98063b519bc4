import { isErrorText } from './error-texts.js';

/**
 * A list in a cell. With line breaks, each line is an entry, which may contain commas. What neither commas nor lines
 * can represent is written as JSON.
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
 * The most readable text of a cell that is read back as exactly these entries. A line break after a single entry with a
 * comma would work too, but it is invisible and many programs remove it.
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
