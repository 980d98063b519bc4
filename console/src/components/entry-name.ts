import type { DirectoryKind, Entry } from './directory.js';

/** What an organization or tag is called. */
export function entryName({ serial, displayName }: Pick<Entry, 'serial' | 'displayName'>): string {
  return displayName ?? serial;
}

/** The name with the serial, which tells entries of the same name apart. */
export function fullEntryName({ serial, displayName }: Pick<Entry, 'serial' | 'displayName'>): string {
  return displayName === null ? serial : `${displayName} (${serial})`;
}

/** The list of the users of an entry. */
export function usersPath(
  kind: DirectoryKind,
  serial: string,
  { isActive = false, includeParts = false } = {},
): string {
  return `/users?${new URLSearchParams({
    ...(isActive && { status: 'active' }),
    [kind === 'organizations' ? 'organization' : 'tag']: serial,
    ...(includeParts && { includeParts: 'true' }),
  })}`;
}

type Named = Pick<Entry, 'serial' | 'displayName'>;

/** The only entry of this name. What is the serial of an entry is not taken for a name. */
export function entryNamed<E extends Named>(text: string, entries: readonly E[]): E | undefined {
  const typed = text.trim();
  if (typed === '' || entries.some(({ serial }) => serial === typed)) return undefined;
  const [first, ...others] = entries.filter(
    ({ displayName }) => displayName?.toLowerCase() === typed.toLowerCase(),
  );
  return others.length === 0 ? first : undefined;
}
