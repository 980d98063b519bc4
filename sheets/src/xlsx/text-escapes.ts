/**
 * Characters that XML cannot hold are written _x000B_ in a workbook, and what looks so by itself _x005F_x000B_. A \r is
 * among them: XML would make it \n.
 */
const unwritable = /[^\t\n\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
const lookalike = /_(?=x[0-9A-Fa-f]{4})/g;
const escaped = /_x([0-9A-Fa-f]{4})_/g;
const markup = /[&<>]/g;
/** Few texts have any of it. */
const needsCare = /[&<>_]|[^ -~]/;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** A text as it stands in the XML of a workbook. */
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

/** The way back, from what was unescaped as XML already. */
export function unescapedText(text: string): string {
  if (!text.includes('_x')) return text;
  return text.replace(escaped, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
