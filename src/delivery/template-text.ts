/**
 * A small part of mustache: `{{name}}` is a value, `{{#name}}…{{/name}}` is kept when there is a value and
 * `{{^name}}…{{/name}}` when there is none. A template is read once into its parts; values are only ever put between
 * them, so a value that looks like a template stays what it is.
 */
export type Template = readonly Part[];

type Part =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'value'; readonly name: string }
  | {
      readonly type: 'section';
      readonly name: string;
      readonly whenPresent: boolean;
      readonly parts: Template;
    };

/** The template is not well-formed; `message` is the end of a sentence that begins with the name of its file. */
export class TemplateInvalid extends Error {
  override readonly name = 'TemplateInvalid';
}

export function parseTemplate(source: string, knownNames: readonly string[]): Template {
  const root: Part[] = [];
  const open: { tag: string; name: string; parts: Part[] }[] = [];
  let parts = root;
  let position = 0;
  const takeText = (end: number) => {
    const text = source.slice(position, end);
    if (text.includes('{{')) throw new TemplateInvalid('has a {{ without its }}');
    if (text !== '') parts.push({ type: 'text', text });
  };

  for (const tag of source.matchAll(tagOrLoneTag)) {
    takeText(tag.index);
    position = tag.index + tag[0].length;
    const inner = (tag[1] ?? tag[2] ?? '').trim();
    const sign = /^[#^/]/.exec(inner)?.[0];
    const name = sign === undefined ? inner : inner.slice(1).trim();
    if (!knownNames.includes(name)) {
      throw new TemplateInvalid(
        `uses {{${inner}}}, but the values it can use are ${knownNames.map((known) => `{{${known}}}`).join(', ')}`,
      );
    }
    if (sign === undefined) {
      parts.push({ type: 'value', name });
    } else if (sign === '/') {
      if (open.pop()?.name !== name)
        throw new TemplateInvalid(`has a {{/${name}}} that does not close the section before it`);
      parts = open.at(-1)?.parts ?? root;
    } else {
      const within: Part[] = [];
      parts.push({ type: 'section', name, whenPresent: sign === '#', parts: within });
      open.push({ tag: `{{${sign}${name}}}`, name, parts: within });
      parts = within;
    }
  }
  takeText(source.length);
  const unclosed = open.at(-1);
  if (unclosed) throw new TemplateInvalid(`does not close its section ${unclosed.tag}`);
  return root;
}

/** A section tag that has a line to itself takes the line with it, or the text would be full of empty lines. */
const tagOrLoneTag =
  /(?<=^|\n)[ \t]*\{\{\s*([#^/](?:(?!\}\}).)*)\}\}[ \t]*(?:\r?\n|(?![\s\S]))|\{\{((?:(?!\}\})[\s\S])*)\}\}/g;

/** The values by name; null is a value that is not there. */
export type TemplateValues = Readonly<Record<string, string | null>>;

export function renderTemplate(
  template: Template,
  values: TemplateValues,
  inForm: (value: string) => string,
): string {
  return template
    .map((part) => {
      if (part.type === 'text') return part.text;
      const value = values[part.name] ?? '';
      if (part.type === 'value') return inForm(value);
      return (value !== '') === part.whenPresent ? renderTemplate(part.parts, values, inForm) : '';
    })
    .join('');
}

/** Whether a value can show up in what the template gives. */
export function templateShows(template: Template, name: string): boolean {
  return template.some((part) => {
    if (part.type === 'section') return templateShows(part.parts, name);
    return part.type === 'value' && part.name === name;
  });
}
