import type { Entry } from './directory.js';

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
