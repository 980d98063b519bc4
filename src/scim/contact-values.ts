import { emailField, type Field, phoneField } from '../contract/fields.js';
import { isObject, type JsonObject, own } from './language/json.js';

/**
 * Users have one email address and one phone number, and resources have lists of them. The one that messages go to is
 * stored as the user's, and its place in the list is marked, so that nothing is stored twice.
 */
export interface Contact {
  readonly value: string | null;
  /** The list without the value that is stored as the user's. Undefined if the list says nothing else. */
  readonly stored: readonly JsonObject[] | undefined;
}

interface ContactRules {
  readonly field: Field<string>;
  /** Which types come first, after the primary value. */
  readonly types: readonly string[];
}

const contactRules: Readonly<Record<'emails' | 'phoneNumbers', ContactRules>> = {
  emails: { field: emailField, types: ['work'] },
  phoneNumbers: { field: phoneField, types: ['work', 'mobile'] },
};

export type ContactList = keyof typeof contactRules;

/** In the list that is stored, in the place of the user's own value. */
const mark = 'isOwn';

export function contactOf(list: ContactList, values: readonly unknown[]): Contact {
  const { field, types } = contactRules[list];
  const entries = values.filter(isObject);
  const rank = (entry: JsonObject) => {
    const at = types.indexOf(String(own(entry, 'type')).toLowerCase());
    return own(entry, 'primary') === true ? -1 : at === -1 ? types.length : at;
  };
  const [chosen] = entries
    .filter((entry) => field.accepts(field.normalize(own(entry, 'value'))))
    .sort((one, other) => rank(one) - rank(other));
  if (!chosen) return { value: null, stored: entries.length === 0 ? undefined : entries };
  const value = field.normalize(own(chosen, 'value')) as string;
  return {
    value,
    stored: isUsual(entries) ? undefined : entries.map((each) => (each === chosen ? marked(each) : each)),
  };
}

/** As the list is built if nothing is stored. */
function isUsual([only, ...others]: readonly JsonObject[]): boolean {
  if (!only || others.length > 0) return false;
  const { value: _, ...rest } = only;
  return JSON.stringify(rest) === JSON.stringify(usual) || JSON.stringify(rest) === JSON.stringify(reversed);
}

const usual = { type: 'work', primary: true };
const reversed = { primary: true, type: 'work' };

function marked({ value: _, ...rest }: JsonObject): JsonObject {
  return { ...rest, [mark]: true };
}

/** The list of a resource. */
export function contactValues(value: string | null, stored: unknown): readonly JsonObject[] {
  const entries = Array.isArray(stored) ? stored.filter(isObject) : [];
  const hasPlace = entries.some((entry) => own(entry, mark) === true);
  const listed = entries.flatMap((entry) => {
    const { [mark]: isOwn, ...rest } = entry;
    if (isOwn !== true) return [rest];
    return value === null ? [] : [{ value, ...rest }];
  });
  if (hasPlace || value === null) return listed;
  const isPrimary = !listed.some((entry) => own(entry, 'primary') === true);
  return [{ value, type: 'work', ...(isPrimary && { primary: true }) }, ...listed];
}
