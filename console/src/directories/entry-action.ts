import type { Entry } from '../components/directory.js';

export type EntryVerb = 'edit' | 'rename' | 'merge' | 'remove';

/** What someone wants to do with an organization or tag, or to add one. */
export type EntryAction =
  | { readonly verb: EntryVerb; readonly entry: Entry }
  | { readonly verb: 'merge'; readonly entry: Entry; readonly into: string }
  | { readonly verb: 'add' };

/** Only what no user has can be deleted, and only what users have can be merged. */
export function verbsFor({ users: { total } }: Pick<Entry, 'users'>): EntryVerb[] {
  return total === 0 ? ['edit', 'rename', 'remove'] : ['edit', 'rename', 'merge'];
}
