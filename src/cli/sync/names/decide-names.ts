import {
  applyNameDecisions,
  type DecidedNames,
  type EntryField,
  type NameDecision,
  type NameGroup,
  namesToRemember,
  newSerialOf,
  type RememberedName,
  type ResolvedName,
} from '#sheets';
import { CommandProblem } from '../../problem.js';
import { sanitize } from '../../terminal/text-width.js';
import { candidatesText, nouns } from './entry-text.js';
import type { GivenDecision, NameOptions } from './given-decisions.js';

/** What the names of organizations and tags in a file mean. */
export interface FileNames extends Pick<DecidedNames, 'meaningOf' | 'newSerials'> {
  readonly decided: readonly DecidedName[];
  /** Names that somebody has to decide about before anything is done. */
  readonly undecided: readonly UndecidedName[];
  /** What is new about names, for everyone's next file. */
  readonly toRemember: Readonly<Record<EntryField, readonly RememberedName[]>>;
}

export interface DecidedName {
  readonly group: NameGroup;
  readonly decision: NameDecision | undefined;
}

export interface UndecidedName {
  readonly group: NameGroup;
  /** Why the name can't become a new entry, if that is what the user wants. */
  readonly whyNotCreated?: 'strict' | 'invalid' | undefined;
}

export interface FieldNames {
  readonly field: EntryField;
  readonly groups: readonly NameGroup[];
  readonly given: readonly GivenDecision[];
  readonly byName: ReadonlyMap<string, ResolvedName>;
  readonly mayCreate: boolean;
}

export function decideNames(facts: readonly FieldNames[], unknown: NameOptions['unknown']): FileNames {
  const given = new Map(facts.map((fact) => [fact.field, decisionsByKey(fact)]));
  const groups = facts.flatMap((fact) => fact.groups);
  const { decisionOf, meaningOf, newSerials, undecided } = applyNameDecisions(
    groups,
    (group) => given.get(group.field)?.get(group.key) ?? forUnknown(group, unknown),
  );
  const mayCreate = new Map(facts.map((fact) => [fact.field, fact.mayCreate]));
  const open = new Map(undecided.map((group): [NameGroup, UndecidedName] => [group, { group }]));
  for (const group of groups) {
    if (decisionOf(group)?.kind !== 'create') continue;
    const whyNotCreated = whyNot(group, mayCreate.get(group.field) === true);
    if (whyNotCreated) open.set(group, { group, whyNotCreated });
  }
  const remembered = (field: EntryField) =>
    facts.flatMap((fact) => (fact.field === field ? newsOf(fact, given.get(field)) : []));
  return {
    ...{ meaningOf, newSerials },
    decided: groups.flatMap((group) => (open.has(group) ? [] : [{ group, decision: decisionOf(group) }])),
    undecided: groups.flatMap((group) => open.get(group) ?? []),
    toRemember: {
      organizationSerial: remembered('organizationSerial'),
      tagSerials: remembered('tagSerials'),
    },
  };
}

function decisionsByKey({ given, byName, field }: FieldNames): Map<string, NameDecision> {
  const decisions = new Map<string, NameDecision>();
  for (const { name, decision, entry = '', where } of given) {
    const { key } = resolvedIn(byName, name);
    if (decision !== 'use') decisions.set(key, { kind: decision });
    else {
      const target = resolvedIn(byName, entry);
      if (!target.entry) throw unknownEntry(field, target, where);
      decisions.set(key, { kind: 'use', entry: target.entry });
    }
  }
  return decisions;
}

function resolvedIn(byName: ReadonlyMap<string, ResolvedName>, name: string): ResolvedName {
  const resolved = byName.get(name);
  if (!resolved) throw new Error('Every name was asked for.');
  return resolved;
}

function unknownEntry(field: EntryField, target: ResolvedName, where: string): CommandProblem {
  const noun = nouns[field].one;
  const problem =
    target.match === 'ambiguous'
      ? `several ${nouns[field].many} are called "${sanitize(target.name)}". Give the serial.`
      : `no ${noun} is called "${sanitize(target.name)}".`;
  return new CommandProblem('wrongUse', `${where}: ${problem}${candidatesText(target)}`);
}

/** Ambiguous names are known: which one is meant can't be decided for all of them. */
function forUnknown({ match }: NameGroup, unknown: NameOptions['unknown']): NameDecision | undefined {
  if (match !== 'unknown' || unknown === 'stop') return undefined;
  return { kind: unknown === 'create' ? 'create' : 'leaveOut' };
}

function whyNot(group: NameGroup, mayCreate: boolean): UndecidedName['whyNotCreated'] {
  if (!mayCreate) return 'strict';
  return newSerialOf(group) === undefined ? 'invalid' : undefined;
}

/** Also about names that this file doesn't have. */
function newsOf(
  { given, byName }: FieldNames,
  decisions: ReadonlyMap<string, NameDecision> | undefined,
): RememberedName[] {
  return given.flatMap(({ name }) => {
    const resolved = resolvedIn(byName, name);
    return namesToRemember(resolved, decisions?.get(resolved.key));
  });
}
