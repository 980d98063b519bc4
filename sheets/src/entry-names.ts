import { type EntryField, entryFields, isEntryName, type MeaningOf, ownCopy, parseCell } from './cells.js';
import { entryNamesOf } from './items.js';
import type { Mapping } from './mapping.js';
import type { Row } from './row.js';

/** A name of an organization or tag, as written in a file. */
export interface WrittenName {
  readonly name: string;
  /** How many rows have it. */
  readonly rows: number;
  readonly firstRow: number;
}

export interface NameCollector {
  /** Notes the names of a row. */
  add(row: Row): void;
  /** In the order of the file. */
  names(field: EntryField): readonly WrittenName[];
}

/** Collects the different names of organizations and tags in a file. */
export function createNameCollector(mapping: Mapping): NameCollector {
  const sources = entryFields.flatMap((field) => {
    const columns = mapping[field] ?? [];
    return columns.length > 0 ? [{ field, columns }] : [];
  });
  const found = {
    organizationSerial: new Map<string, Counted>(),
    tagSerials: new Map<string, Counted>(),
  };
  return {
    add: (row) => {
      for (const { field, columns } of sources) {
        for (const name of entryNamesOf(row, field, columns)) {
          const known = found[field].get(name);
          if (known) known.rows++;
          else if (isEntryName(name)) found[field].set(ownCopy(name), { rows: 1, firstRow: row.number });
        }
      }
    },
    names: (field) => [...found[field]].map(([name, counted]) => ({ name, ...counted })),
  };
}

interface Counted {
  rows: number;
  readonly firstRow: number;
}

export interface NamedEntry {
  readonly serial: string;
  readonly displayName: string | null;
}

/** What the service says about a name. */
export interface ResolvedName {
  readonly name: string;
  readonly key: string;
  readonly match: 'serial' | 'name' | 'decision' | 'formerName' | 'ambiguous' | 'unknown';
  readonly entry: NamedEntry | null;
  readonly candidates: readonly NamedEntry[];
}

/** Names that mean the same, although they may be written differently. */
export interface NameGroup extends WrittenName, Omit<ResolvedName, 'name'> {
  readonly field: EntryField;
  /** Every way in which the file writes the name, with the white space around it. */
  readonly spellings: readonly string[];
}

/** Joins what a file says about names with what the service says, which has answered for every name in its order. */
export function groupNames(
  field: EntryField,
  written: readonly WrittenName[],
  resolved: readonly ResolvedName[],
): NameGroup[] {
  const groups = new Map<string, NameGroup>();
  for (const [at, { name, rows, firstRow }] of written.entries()) {
    const meaning = resolved[at];
    if (meaning === undefined) continue;
    // Serials are exact: another spelling may mean something else.
    const id = meaning.match === 'serial' ? `serial ${name}` : `name ${meaning.key}`;
    const known = groups.get(id);
    groups.set(
      id,
      known
        ? { ...known, rows: known.rows + rows, spellings: [...known.spellings, name] }
        : { ...meaning, name: name.trim(), rows, firstRow, field, spellings: [name] },
    );
  }
  return [...groups.values()];
}

/** What to do about a name that the service doesn't know. */
export type NameDecision =
  | { readonly kind: 'use'; readonly entry: NamedEntry }
  | { readonly kind: 'create' }
  | { readonly kind: 'leaveOut' };

/** Whether somebody has to decide what the name means. */
export function isUndecided({ match }: Pick<NameGroup, 'match'>): boolean {
  return match === 'ambiguous' || match === 'unknown';
}

/** The serial of the entry that a name creates, or undefined if it can't be one. */
export function newSerialOf({ name }: Pick<NameGroup, 'name'>): string | undefined {
  const serial = parseCell('organizationSerial', name.trim().replace(/\s+/gu, ' '));
  return typeof serial === 'string' ? serial : undefined;
}

/** What follows from the decisions about the names of a file. */
export interface DecidedNames {
  readonly meaningOf: MeaningOf;
  /** The decision about a name, if it applies. */
  readonly decisionOf: (group: NameGroup) => NameDecision | undefined;
  /** Names that somebody has to decide about before anything is done. */
  readonly undecided: readonly NameGroup[];
  /** The serials of entries that the file adds to the directories. */
  readonly newSerials: Readonly<Record<EntryField, ReadonlySet<string>>>;
}

export function applyNameDecisions(
  groups: readonly NameGroup[],
  given: (group: NameGroup) => NameDecision | undefined,
): DecidedNames {
  const decisionOf = (group: NameGroup) => applicable(given(group), group);
  const meanings = {
    organizationSerial: new Map<string, string | null>(),
    tagSerials: new Map<string, string | null>(),
  };
  const newSerials = { organizationSerial: new Set<string>(), tagSerials: new Set<string>() };
  for (const group of groups) {
    const decision = decisionOf(group);
    const meaning = meaningOf(group, decision);
    if (meaning === undefined) continue;
    for (const name of group.spellings) meanings[group.field].set(name, meaning);
    if (decision?.kind === 'create' && meaning !== null) newSerials[group.field].add(meaning);
  }
  return {
    ...{ decisionOf, newSerials },
    meaningOf: (field, name) => meanings[field].get(name),
    undecided: groups.filter((group) => isUndecided(group) && !decisionOf(group)),
  };
}

/** An exact serial means its entry. Once a name has become an entry, there is nothing to create. */
function applicable(decision: NameDecision | undefined, { match }: NameGroup): NameDecision | undefined {
  const isSettled = match === 'serial' || (match === 'name' && decision?.kind === 'create');
  return isSettled ? undefined : decision;
}

function meaningOf(group: NameGroup, decision: NameDecision | undefined): string | null | undefined {
  if (decision === undefined) return isUndecided(group) ? undefined : (group.entry?.serial ?? null);
  if (decision.kind === 'use') return decision.entry.serial;
  return decision.kind === 'create' ? newSerialOf(group) : null;
}

/** What the service is to remember about a name, for everyone's next file. */
export type RememberedName =
  | { readonly name: string; readonly serial: string | null }
  | { readonly name: string; readonly isForgotten: true };

/** What it doesn't know about the name yet. A new entry is known by its name as soon as a user has it. */
export function namesToRemember(
  { name, match, entry }: ResolvedName,
  decision: NameDecision | undefined,
): RememberedName[] {
  if (match === 'serial' || match === 'name' || !decision) return [];
  if (decision.kind === 'create') return match === 'decision' ? [{ name, isForgotten: true }] : [];
  const serial = decision.kind === 'use' ? decision.entry.serial : null;
  return match === 'decision' && (entry?.serial ?? null) === serial ? [] : [{ name, serial }];
}
