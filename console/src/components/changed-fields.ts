import { attributeField } from '@rollcall/sheets';
import { changedAttributes } from './attribute-value.js';

export type Change = { readonly before?: unknown; readonly after?: unknown } | undefined;
export type Changes = Readonly<Record<string, Change>>;

/** Each attribute is a field of its own. */
export function entriesOf(fields: Changes): (readonly [field: string, change: Change])[] {
  return Object.entries(fields).flatMap(([field, change]) =>
    field === 'attributes'
      ? changedAttributes(change).map(({ key, ...sides }) => [attributeField(key), sides] as const)
      : [[field, change] as const],
  );
}

/** The names of the fields. */
export function changedFields(fields: Changes): string[] {
  return entriesOf(fields).map(([field]) => field);
}
