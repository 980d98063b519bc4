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
