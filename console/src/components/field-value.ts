import { commonCopy, sessionCopy } from '../copy/copy.js';

/** The value of a field as text. The status has words of its own. */
export function formatField(field: string, value: unknown): string {
  if (field === 'isActive' && typeof value === 'boolean')
    return value ? commonCopy.active : commonCopy.inactive;
  return formatValue(value);
}

export function formatValue(value: unknown): string {
  if (isEmpty(value)) return commonCopy.empty;
  if (typeof value === 'boolean') return value ? commonCopy.yes : commonCopy.no;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

export function formatRole(value: unknown): string {
  return sessionCopy.role(typeof value === 'string' ? value : null);
}

/** Attributes without any value are empty, too. */
export function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === undefined ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

export interface TagChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Undefined unless a list has gained or lost something. */
export function tagChanges(before: unknown, after: unknown): TagChanges | undefined {
  const [old, now] = [serials(before), serials(after)];
  const added = now.filter((serial) => !old.includes(serial));
  const removed = old.filter((serial) => !now.includes(serial));
  return added.length + removed.length === 0 ? undefined : { added, removed };
}

function serials(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}
