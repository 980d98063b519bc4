/**
 * Workbooks write characters that XML can't contain as _x000B_, and texts that already look like this as _x005F_x000B_.
 * A \r is one of them: XML would turn it into \n.
 */
const unwritable = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const lookalike = /_(?=x[0-9A-Fa-f]{4})/g;
const escaped = /_x([0-9A-Fa-f]{4})_/g;
const markup = /[&<>]/g;
/** Few texts need escaping. */
const needsCare = /[&<>_]|[^ -~]/;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes a text for the XML of a workbook. */
export function escapedText(text: string): string {
  if (!needsCare.test(text)) return text;
  return text
    .replace(lookalike, '_x005F_')
    .replace(unwritable, (character) => {
      const code = character.charCodeAt(0).toString(16).toUpperCase();
      return `_x${code.padStart(4, '0')}_`;
    })
    .replace(markup, (character) => entities[character] ?? character);
}

/** The reverse, for a text whose XML entities are already resolved. */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
