/**
 * A subset of Mustache: `{{name}}` is a value; `{{#name}}…{{/name}}` is shown if there is a value, once per entry
 * of a list, and `{{^name}}…{{/name}}` if there is none. Templates are parsed once and values are inserted between the parts, so a value is never parsed as a template.
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

/** `message` completes a sentence that starts with the file name. */
export class TemplateInvalid extends Error {
  override readonly name = 'TemplateInvalid';
}

export function parseTemplate(source: string, knownNames: readonly string[]): Template {
  const root: Part[] = [];
  const open: { tag: string; name: string; parts: Part[] }[] = [];
  let parts = root;
  let position = 0;
  const addText = (end: number) => {
    const text = source.slice(position, end);
    if (text.includes('{{')) throw new TemplateInvalid('has a {{ without a matching }}');
    if (text !== '') parts.push({ type: 'text', text });
  };

  for (const tag of source.matchAll(tagOrTagLine)) {
    addText(tag.index);
    position = tag.index + tag[0].length;
    const inner = (tag[1] ?? tag[2] ?? '').trim();
    const sign = /^[#^/]/.exec(inner)?.[0];
    const name = sign === undefined ? inner : inner.slice(1).trim();
    if (!knownNames.includes(name)) {
      throw new TemplateInvalid(
        `uses {{${inner}}}, but the available values are ${knownNames.map((known) => `{{${known}}}`).join(', ')}`,
      );
    }
    if (sign === undefined) {
      parts.push({ type: 'value', name });
    } else if (sign === '/') {
      if (open.pop()?.name !== name)
        throw new TemplateInvalid(`has a {{/${name}}} that does not match the open section`);
      parts = open.at(-1)?.parts ?? root;
    } else {
      const within: Part[] = [];
      parts.push({ type: 'section', name, whenPresent: sign === '#', parts: within });
      open.push({ tag: `{{${sign}${name}}}`, name, parts: within });
      parts = within;
    }
  }
  addText(source.length);
  const unclosed = open.at(-1);
  if (unclosed) throw new TemplateInvalid(`does not close the section ${unclosed.tag}`);
  return root;
}

/** A section tag on its own line consumes the line; otherwise it would leave an empty one. */
const tagOrTagLine =
  /(?<=^|\n)[ \t]*\{\{\s*([#^/](?:(?!\}\}).)*)\}\}[ \t]*(?:\r?\n|(?![\s\S]))|\{\{((?:(?!\}\})[\s\S])*)\}\}/g;

/** Values by name; null means absent. Each entry of a list has values of its own. */
export interface TemplateValues {
  readonly [name: string]: string | null | readonly TemplateValues[];
}

export function renderTemplate(
  template: Template,
  values: TemplateValues,
  escapeValue: (value: string) => string,
): string {
  return template
    .map((part) => {
      if (part.type === 'text') return part.text;
      const value = values[part.name] ?? '';
      if (part.type === 'value') return typeof value === 'string' ? escapeValue(value) : '';
      const isPresent = value.length > 0;
      if (isPresent !== part.whenPresent) return '';
      const entries = typeof value === 'string' || !isPresent ? [{}] : value;
      return entries
        .map((entry) => renderTemplate(part.parts, { ...values, ...entry }, escapeValue))
        .join('');
    })
    .join('');
}

/** Whether the template can show a value. */
export function templateShows(template: Template, name: string): boolean {
  return template.some((part) => {
    if (part.type === 'section') return templateShows(part.parts, name);
    return part.type === 'value' && part.name === name;
  });
}
