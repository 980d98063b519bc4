import type { DirectoryKind, NameMatchKind } from '../../contract/directories.js';
import type { Failure } from '../../contract/errors.js';
import { type Database, snapshot, transaction } from '../../storage/database.js';
import {
  decideNames,
  keysOfNames,
  largestEntries,
  matchNames,
  type NameDecision,
  type NamedEntry,
  type NameMatch,
} from '../../storage/directories/entry-names.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { runYielding } from '../yield-to-event-loop.js';
import { freshCounts, noSuchEntry } from './entries.js';
import { similarEntries } from './similar-names.js';

export type { NameDecision };

/** What a name in a file means. */
export interface ResolvedName {
  readonly name: string;
  /** Names with the same key mean the same. */
  readonly key: string;
  readonly match: NameMatchKind;
  /** Null if it was decided that the name means nothing, or if it has to be decided. */
  readonly entry: NamedEntry | null;
  /** The entries that an ambiguous name may mean, or those that look like an unknown one. */
  readonly candidates: readonly NamedEntry[];
}

/** Comparing takes time for each pair of a name and an entry: 0.1 s in all for that many. */
const comparedNamesMax = 100;
const comparedEntriesMax = 5_000;
const candidatesMax = 20;

/** In the order of the names. */
export async function resolveNames(
  database: Database,
  kind: DirectoryKind,
  names: readonly string[],
): Promise<readonly ResolvedName[]> {
  const { resolved, entries } = await snapshot(database, async (tx) => {
    const { fresh } = await freshCounts(tx);
    const keys = await keysOfNames(tx, names);
    const meanings = meaningsOf(await matchNames(tx, kind, [...new Set(names)], fresh));
    const resolved = names.map((name, at) => ({ name, key: keys[at] as string, ...meanings(name) }));
    const isAnyUnknown = resolved.some(({ match }) => match === 'unknown');
    return { resolved, entries: isAnyUnknown ? await largestEntries(tx, kind, comparedEntriesMax) : [] };
  });
  const unknown = new Set(resolved.flatMap(({ name, match }) => (match === 'unknown' ? [name] : [])));
  const similar = await runYielding(similarEntries([...unknown].slice(0, comparedNamesMax), entries));
  return resolved.map((each) =>
    each.match === 'unknown' ? { ...each, candidates: similar.get(each.name) ?? [] } : each,
  );
}

type Meaning = Pick<ResolvedName, 'match' | 'entry' | 'candidates'>;

function meaningsOf(matches: readonly NameMatch[]): (name: string) => Meaning {
  const byName = new Map<string, NameMatch[]>();
  for (const match of matches) {
    const others = byName.get(match.name);
    if (others) others.push(match);
    else byName.set(match.name, [match]);
  }
  return (name) => meaningOf(byName.get(name) ?? []);
}

/**
 * An exact serial comes first, and then a name that one entry has now, so that an exported file means what it meant. What
 * people have decided comes before the names of the past.
 */
function meaningOf(matches: readonly NameMatch[]): Meaning {
  const of = (by: NameMatch['by']) => matches.filter((match) => match.by === by);
  const [serials, named, decided, former] = [of('serial'), of('name'), of('decision'), of('formerName')];
  const isOne = (found: readonly NameMatch[]) => found.length === 1;
  if (isOne(serials)) return means('serial', serials);
  if (isOne(named)) return means('name', named);
  if (isOne(decided)) return means('decision', decided);
  if (named.length === 0 && isOne(former)) return means('formerName', former);
  const candidates = (named.length > 0 ? named : former).flatMap((match) => entryOf(match) ?? []);
  const match = candidates.length > 0 ? 'ambiguous' : 'unknown';
  return { match, entry: null, candidates: candidates.slice(0, candidatesMax) };
}

function means(match: NameMatchKind, [first]: readonly NameMatch[]): Meaning {
  return { match, entry: (first && entryOf(first)) ?? null, candidates: [] };
}

function entryOf({ serial, displayName }: NameMatch): NamedEntry | null {
  return serial === null ? null : { serial, displayName };
}

/** For everyone who imports a file from now on. Returns what the names mean then. */
export async function rememberNames(
  database: Database,
  kind: DirectoryKind,
  decisions: readonly NameDecision[],
  caller: Caller,
): Promise<readonly ResolvedName[] | Failure> {
  const serials = decisions.flatMap(({ serial }) => serial ?? []);
  const targets = await resolveNames(database, kind, serials);
  const unknown = targets.find(({ match }) => match !== 'serial');
  if (unknown) return noSuchEntry(kind, unknown.name);
  await transaction(database, async (tx) => {
    await decideNames(tx, kind, decisions);
    await recordAccess(tx, 'names.remembered', caller, {
      detail: { directory: kind, names: decisions.length },
    });
  });
  return resolveNames(
    database,
    kind,
    decisions.map(({ name }) => name),
  );
}
