import { attributeField } from '@rollcall/sheets';
import { changedAttributes } from './attribute-value.js';
import { tagChanges } from './field-value.js';

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

interface UserChange {
  readonly kind: string;
  readonly fields: Changes;
}

/** Changes that read the same are together: of tags, only those that come and go are shown. */
export function groupChanges<Each extends UserChange>(changes: readonly Each[]): [Each, ...Each[]][] {
  const groups = new Map<string, [Each, ...Each[]]>();
  for (const change of changes) {
    const { kind, fields } = change;
    const { tagSerials: tags } = fields;
    const shown = { ...fields, tagSerials: tagChanges(tags?.before, tags?.after) ?? tags };
    const key = JSON.stringify([kind, shown]);
    const group = groups.get(key);
    if (group) group.push(change);
    else groups.set(key, [change]);
  }
  return [...groups.values()];
}

/** The names of the fields. */
export function changedFields(fields: Changes): string[] {
  return entriesOf(fields).map(([field]) => field);
}
