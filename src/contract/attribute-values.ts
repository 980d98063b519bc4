/**
 * The values of company attributes. Users store them under the IDs of the attributes, whose keys can change, in one text:
 * the JSON that PostgreSQL prints for a `jsonb`. Two users have the same values if their texts are the same, and most
 * texts are never parsed.
 */
export type AttributeValue = string | number | boolean | readonly string[];
export type AttributeValues = Readonly<Record<string, AttributeValue>>;

/** What to set; null removes a value. Attributes that are not named keep theirs. */
export type AttributePatch = Readonly<Record<string, AttributeValue | null>>;

/** Stands for an object that is too large to be read. */
export const tooLargeObject: Readonly<Record<string, never>> = Object.freeze({});

export function parseAttributes(stored: string | null): AttributeValues {
  return stored === null ? {} : (JSON.parse(stored) as AttributeValues);
}

/** Null if there are none. IDs are numbers, which objects keep in ascending order, as PostgreSQL does. */
export function storedAttributes(values: AttributeValues): string | null {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return `{${entries.map(([id, value]) => `"${id}": ${valueText(value)}`).join(', ')}}`;
}

function valueText(value: AttributeValue): string {
  return Array.isArray(value) ? `[${value.map(valueText).join(', ')}]` : JSON.stringify(value);
}

/** Changes only the parts of the text that differ: a bulk call does this to thousands of users. */
export function patchAttributes(stored: string | null, patch: AttributePatch): string | null {
  const texts = valueTexts(stored);
  let hasNew = false;
  for (const [id, value] of Object.entries(patch)) {
    if (value === null) texts.delete(id);
    else {
      hasNew ||= !texts.has(id);
      texts.set(id, valueText(value));
    }
  }
  if (texts.size === 0) return null;
  const entries = hasNew ? [...texts].sort(([one], [other]) => Number(one) - Number(other)) : texts;
  let text = '';
  for (const [id, value] of entries) text += `${text === '' ? '{' : ', '}"${id}": ${value}`;
  return `${text}}`;
}

/** The texts of the values, by ID, without parsing them. */
function valueTexts(stored: string | null): Map<string, string> {
  const texts = new Map<string, string>();
  if (stored === null) return texts;
  for (let at = 1; at < stored.length - 1; ) {
    const idEnd = stored.indexOf('"', at + 1);
    const start = idEnd + '": '.length;
    const end = endOfValue(stored, start);
    texts.set(stored.slice(at + 1, idEnd), stored.slice(start, end));
    at = end + ', '.length;
  }
  return texts;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '[') {
    const comma = text.indexOf(',', start);
    return comma === -1 ? text.length - 1 : comma;
  }
  let at = start + 1;
  while (text[at] !== ']') at = text[at] === '"' ? endOfString(text, at) : at + 1;
  return at + 1;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; ; at++) {
    at = text.indexOf('"', at);
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at + 1;
  }
}

/** The values of those attributes that differ. */
export function differingAttributes(before: string | null, after: string | null): AttributesChange {
  const [was, is] = [valueTexts(before), valueTexts(after)];
  return { before: differingFrom(is, was), after: differingFrom(was, is) };
}

function differingFrom(
  others: ReadonlyMap<string, string>,
  texts: ReadonlyMap<string, string>,
): AttributeValues {
  const differing: Record<string, AttributeValue> = {};
  for (const [id, text] of texts) if (others.get(id) !== text) differing[id] = JSON.parse(text);
  return differing;
}

/** The values of the attributes that changed, before and after. */
export interface AttributesChange {
  readonly before: AttributeValues;
  readonly after: AttributeValues;
}

function changedIds({ before, after }: AttributesChange): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])];
}

/** What two changes, one after the other, amount to; undefined if the second reverts the first. */
export function joinedAttributes(
  first: AttributesChange,
  last: AttributesChange,
): AttributesChange | undefined {
  const firstIds = changedIds(first);
  const before = patchAttributes(
    storedAttributes(first.before),
    Object.fromEntries(
      changedIds(last)
        .filter((id) => !firstIds.includes(id))
        .map((id) => [id, last.before[id] ?? null]),
    ),
  );
  const after = patchAttributes(
    storedAttributes(first.after),
    Object.fromEntries(changedIds(last).map((id) => [id, last.after[id] ?? null])),
  );
  return before === after ? undefined : differingAttributes(before, after);
}

/** Restores the values from before. */
export function revertingPatch(change: AttributesChange): AttributePatch {
  return Object.fromEntries(changedIds(change).map((id) => [id, change.before[id] ?? null]));
}

/** Whether each attribute that changed has the value from before or after. */
export function isBeforeOrAfter(stored: string | null, change: AttributesChange): boolean {
  const values = parseAttributes(stored);
  const textOf = (value: AttributeValue | undefined) => (value === undefined ? undefined : valueText(value));
  return changedIds(change).every((id) =>
    [change.before[id], change.after[id]].some((value) => textOf(value) === textOf(values[id])),
  );
}
