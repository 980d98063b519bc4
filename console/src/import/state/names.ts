import {
  applyNameDecisions,
  type DecidedNames,
  type EntryField,
  entryFields,
  groupNames,
  isUndecided,
  type Mapping,
  type NameDecision,
  type NameGroup,
  namesToRemember,
  type RememberedName,
  type ResolvedName,
  type WrittenName,
} from '@rollcall/sheets';
import type { DirectoryKind } from '../../components/directory.js';
import type { Rows } from './rows.js';
import { proposalFor } from './similar-names.js';

/** A name in the file, and what the service says about it. */
export interface LearnedName {
  readonly written: WrittenName;
  readonly resolved: ResolvedName;
}

type ByField<T> = Readonly<Record<EntryField, T>>;

/** What the names of organizations and tags in the file mean. */
export interface Names extends DecidedNames {
  /** The mapping by which they were read, and the cells if they were read from all of these. */
  readonly mapping: Mapping;
  readonly cells: Rows['cells'] | undefined;
  readonly learned: ByField<ReadonlyMap<string, LearnedName>>;
  readonly groups: readonly NameGroup[];
  /** What the user has decided, by the ID of the group. */
  readonly decisions: ReadonlyMap<string, NameDecision>;
  /** What is supposed, until the user decides otherwise. The step of the names shows it before anything follows from it. */
  readonly proposals: ReadonlyMap<string, NameDecision>;
  /** Whether names can become new entries. */
  readonly mayCreate: boolean;
}

export const directoryOf: ByField<DirectoryKind> = {
  organizationSerial: 'organizations',
  tagSerials: 'tags',
};

const nothingLearned: Names['learned'] = { organizationSerial: new Map(), tagSerials: new Map() };
export const noNames: Names = withMeanings({
  ...{ mapping: {}, cells: undefined, learned: nothingLearned, groups: [] },
  ...{ decisions: new Map(), proposals: new Map(), mayCreate: true },
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
  return names.cells === cells && names.mapping === mapping && names.undecided.length === 0;
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
  const { decisions, proposals } = names;
  return withMeanings({ mapping, cells, learned: all, groups, decisions, proposals, mayCreate });
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
  const proposals = new Map(names.proposals);
  for (const group of groups) {
    proposals.delete(idOf(group));
    if (decision) decisions.set(idOf(group), decision);
    else decisions.delete(idOf(group));
  }
  return withMeanings({ ...names, decisions, proposals });
}

/** With a proposal for each undecided name that differs from an entry in nothing but the spelling. */
export function withProposals(names: Names): Names {
  const found = names.undecided.flatMap((group) => {
    const proposal = proposalFor(group);
    return proposal ? [[idOf(group), proposal] as const] : [];
  });
  if (found.length === 0) return names;
  return withMeanings({ ...names, proposals: new Map([...names.proposals, ...found]) });
}

/** Whoever goes on without another decision has decided so. */
export function withProposalsAccepted(names: Names): Names {
  const { decisions, proposals } = names;
  if (proposals.size === 0) return names;
  return withMeanings({ ...names, decisions: new Map([...decisions, ...proposals]), proposals: new Map() });
}

function withMeanings(names: Omit<Names, keyof DecidedNames>): Names {
  const { groups, decisions, proposals } = names;
  const given = (group: NameGroup) => decisions.get(idOf(group)) ?? proposals.get(idOf(group));
  return { ...names, ...applyNameDecisions(groups, given) };
}

export function idOf({ field, key }: Pick<NameGroup, 'field' | 'key'>): string {
  return `${field} ${key}`;
}

/** Names that are neither the serial nor the name of an entry. */
export function otherNames({ groups }: Names): NameGroup[] {
  return groups.filter(({ match }) => match !== 'serial' && match !== 'name');
}

/** What is new about names, for everyone's next file. */
export function namesLearned({ groups, decisionOf }: Names, kind: DirectoryKind): RememberedName[] {
  return groups.flatMap((group) =>
    directoryOf[group.field] === kind ? namesToRemember(group, decisionOf(group)) : [],
  );
}
