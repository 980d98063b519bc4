import type { EntryField, NamedEntry, ResolvedName } from '#sheets';
import { shellQuoted } from '../../terminal/shell-quoted.js';
import { sanitize } from '../../terminal/text-width.js';

export const nouns: Readonly<Record<EntryField, { readonly one: string; readonly many: string }>> = {
  organizationSerial: { one: 'organization', many: 'organizations' },
  tagSerials: { one: 'tag', many: 'tags' },
};

/** "ORG7 (Sales, Berlin)" */
export function entryText({ serial, displayName }: NamedEntry): string {
  return `${shellQuoted(sanitize(serial))}${displayName === null ? '' : ` (${sanitize(displayName)})`}`;
}

/** What an ambiguous name may mean, or the entry that looks most like an unknown one. Empty if none does. */
export function candidatesText({ match, candidates }: Pick<ResolvedName, 'match' | 'candidates'>): string {
  const [best] = candidates;
  if (!best) return '';
  if (match === 'ambiguous') return ` It may be ${candidates.map(entryText).join(' or ')}.`;
  return ` Did you mean ${entryText(best)}?`;
}
