import type { DirectoryKind } from '../../components/directory.js';
import type { Dependencies } from '../state/dependencies.js';
import type { NewEntries } from '../state/knowledge.js';
import { openRows, type Rows } from '../state/rows.js';
import type { ImportStore } from '../state/store.js';

/** Misspelled names would become organizations and tags of their own. */
export async function findNewEntries(
  store: ImportStore,
  signal: AbortSignal,
  { calls }: Dependencies,
): Promise<void> {
  const { rows } = store.getState();
  if (!rows) return;
  const named = namedEntries(rows);
  const entries = {
    organizations: await newOnes('organizations', named.organizations),
    tags: await newOnes('tags', named.tags),
  };
  if (!signal.aborted) store.dispatch({ type: 'learned', knowledge: { newEntries: entries } });

  async function newOnes(kind: DirectoryKind, serials: readonly string[]): Promise<readonly string[]> {
    if (serials.length === 0) return [];
    return notAmong(serials, new Set(await calls.existingEntries(kind, serials, signal)));
  }
}

/** Those that rows set, in the order of the file. */
export function namedEntries(rows: Rows): NewEntries {
  const organizations = new Set<string>();
  const tags = new Set<string>();
  for (const row of openRows(rows)) {
    const preview = rows.previews[row];
    if (preview?.kind !== 'accepted') continue;
    const { organizationSerial, tagSerials } = preview.fields;
    if (typeof organizationSerial?.after === 'string') organizations.add(organizationSerial.after);
    for (const tag of Array.isArray(tagSerials?.after) ? tagSerials.after : []) tags.add(String(tag));
  }
  return { organizations: [...organizations], tags: [...tags] };
}

/** Nothing stands out if everything is new, as in the first import. */
export function notAmong(serials: readonly string[], existing: ReadonlySet<string>): readonly string[] {
  const missing = serials.filter((serial) => !existing.has(serial));
  return missing.length === serials.length ? [] : missing;
}
