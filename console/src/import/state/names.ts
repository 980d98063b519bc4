import type { RequestBody } from '@rollcall/client';
import {
  type EntryField,
  entryFields,
  groupNames,
  isUndecided,
  type Mapping,
  type MeaningOf,
  meaningsOf,
  type NameDecision,
  type NameGroup,
  newSerialOf,
  type ResolvedName,
  type WrittenName,
} from '@rollcall/sheets';
import type { DirectoryKind } from '../../components/directory.js';
import type { Rows } from './rows.js';

/** A name in the file, and what the service says about it. */
export interface LearnedName {
  readonly written: WrittenName;
  readonly resolved: ResolvedName;
}

type ByField<T> = Readonly<Record<EntryField, T>>;

/** What the names of organizations and tags in the file mean. */
export interface Names {
  /** The mapping by which they were read, and the cells if they were read from all of these. */
  readonly mapping: Mapping;
  readonly cells: Rows['cells'] | undefined;
  readonly learned: ByField<ReadonlyMap<string, LearnedName>>;
  readonly groups: readonly NameGroup[];
  /** What the user has decided, by the ID of the group. */
  readonly decisions: ReadonlyMap<string, NameDecision>;
  /** Whether names can become new entries. */
  readonly mayCreate: boolean;
  readonly meaningOf: MeaningOf;
  /** The serials of entries that the file adds to the directories. */
  readonly newSerials: ByField<ReadonlySet<string>>;
}

export type RememberedName = RequestBody<'rememberTagNames'>['items'][number];

export const directoryOf: ByField<DirectoryKind> = {
  organizationSerial: 'organizations',
  tagSerials: 'tags',
};

const nothingLearned: Names['learned'] = { organizationSerial: new Map(), tagSerials: new Map() };
export const noNames: Names = withMeanings({
  ...{ mapping: {}, cells: undefined, learned: nothingLearned, groups: [] },
  ...{ decisions: new Map(), mayCreate: true },
});

export interface NameAnswers extends Pick<Names, 'mapping' | 'cells'> {
  readonly learned: ByField<readonly LearnedName[]>;
  readonly mayCreate: boolean;
}

/** What is known about the names in these columns, of those that need not be asked for again. */
export function knownNames({ mapping, learned, decisions }: Names, current: Mapping): Names['learned'] {
  if (entryFields.some((field) => mapping[field]?.[0] !== current[field]?.[0])) return nothingLearned;
  const settled = (field: EntryField) =>
    [...learned[field]].filter(
      ([, { resolved }]) => !isUndecided(resolved) || decisions.has(idOf({ field, ...resolved })),
    );
  return {
    organizationSerial: new Map(settled('organizationSerial')),
    tagSerials: new Map(settled('tagSerials')),
  };
}

/** Names that nobody has decided about are asked for again: somebody may have added them meanwhile. */
export function areAllKnown(names: Names, mapping: Mapping, { cells }: Rows): boolean {
  return names.cells === cells && names.mapping === mapping && undecidedNames(names).length === 0;
}

export function withAnswers(names: Names, { mapping, cells, learned, mayCreate }: NameAnswers): Names {
  const known = knownNames(names, mapping);
  const all = {
    organizationSerial: joined(known.organizationSerial, learned.organizationSerial),
    tagSerials: joined(known.tagSerials, learned.tagSerials),
  };
  const groups = entryFields.flatMap((field) => {
    const entries = [...all[field].values()];
    const written = entries.map((each) => each.written);
    const resolved = entries.map((each) => each.resolved);
    return groupNames(field, written, resolved);
  });
  return withMeanings({ mapping, cells, learned: all, groups, decisions: names.decisions, mayCreate });
}

function joined(known: ReadonlyMap<string, LearnedName>, learned: readonly LearnedName[]) {
  return new Map([...known, ...learned.map((each) => [each.written.name, each] as const)]);
}

/** Undefined forgets what was decided. */
export function withDecision(
  names: Names,
  groups: readonly NameGroup[],
  decision: NameDecision | undefined,
): Names {
  const decisions = new Map(names.decisions);
  for (const group of groups) {
    if (decision) decisions.set(idOf(group), decision);
    else decisions.delete(idOf(group));
  }
  return withMeanings({ ...names, decisions });
}

function withMeanings(names: Omit<Names, 'meaningOf' | 'newSerials'>): Names {
  const { groups } = names;
  const meaningOf = meaningsOf(groups, (group) => decisionOf(names, group));
  const newOnes = (field: EntryField) =>
    groups.flatMap((group) => {
      const isNew = group.field === field && decisionOf(names, group)?.kind === 'create';
      return isNew ? (newSerialOf(group) ?? []) : [];
    });
  return {
    ...{ ...names, meaningOf },
    newSerials: {
      organizationSerial: new Set(newOnes('organizationSerial')),
      tagSerials: new Set(newOnes('tagSerials')),
    },
  };
}

export function idOf({ field, key }: Pick<NameGroup, 'field' | 'key'>): string {
  return `${field} ${key}`;
}

/** An exact serial means its entry, whatever was decided about another spelling. */
export function decisionOf({ decisions }: Pick<Names, 'decisions'>, group: NameGroup) {
  return isOtherName(group) ? decisions.get(idOf(group)) : undefined;
}

export function otherNames({ groups }: Names): NameGroup[] {
  return groups.filter(isOtherName);
}

/** Whether the name is neither the serial nor the name of an entry. */
function isOtherName({ match }: NameGroup): boolean {
  return match !== 'serial' && match !== 'name';
}

export function undecidedNames(names: Names): NameGroup[] {
  return names.groups.filter((group) => isUndecided(group) && !decisionOf(names, group));
}

/** What is new about names, for everyone's next file. A new entry is known by its name once a user has it. */
export function namesToRemember(names: Names, kind: DirectoryKind): RememberedName[] {
  return names.groups.flatMap((group): RememberedName[] => {
    const decision = decisionOf(names, group);
    if (!decision || directoryOf[group.field] !== kind) return [];
    const { name, match } = group;
    if (decision.kind === 'create') return match === 'decision' ? [{ name, isForgotten: true }] : [];
    return [{ name, serial: decision.kind === 'use' ? decision.entry.serial : null }];
  });
}
