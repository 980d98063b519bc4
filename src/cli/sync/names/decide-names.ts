import type { Schemas } from '#client';
import {
  type EntryField,
  isUndecided,
  type MeaningOf,
  meaningsOf,
  type NameDecision,
  type NameGroup,
  newSerialOf,
  type ResolvedName,
} from '#sheets';
import { CommandProblem } from '../../problem.js';
import { sanitize } from '../../terminal/text-width.js';
import { candidatesText, nouns } from './entry-text.js';
import type { GivenDecision, NameOptions } from './given-decisions.js';

/** What the names of organizations and tags in a file mean. */
export interface FileNames {
  readonly meaningOf: MeaningOf;
  readonly decided: readonly DecidedName[];
  /** Names that somebody has to decide about before anything is done. */
  readonly undecided: readonly UndecidedName[];
  /** What is new about names, for everyone's next file. */
  readonly toRemember: Readonly<Record<EntryField, readonly Schemas['RememberedName'][]>>;
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
  const decided: DecidedName[] = [];
  const undecided: UndecidedName[] = [];
  const toRemember: Record<EntryField, Schemas['RememberedName'][]> = {
    organizationSerial: [],
    tagSerials: [],
  };
  for (const fact of facts) {
    const decisions = decisionsByKey(fact);
    for (const group of fact.groups) {
      const decision = applicable(decisions.get(group.key), group) ?? forUnknown(group, unknown);
      const whyNotCreated = decision?.kind === 'create' ? whyNot(group, fact.mayCreate) : undefined;
      if (whyNotCreated || (isUndecided(group) && !decision)) undecided.push({ group, whyNotCreated });
      else decided.push({ group, decision });
    }
    toRemember[fact.field] = fact.given.flatMap((each) => newsOf(each, fact, decisions));
  }
  const decisionOf = new Map(decided.map(({ group, decision }) => [group, decision]));
  const meaningOf = meaningsOf([...decisionOf.keys()], (group) => decisionOf.get(group));
  return { meaningOf, decided, undecided, toRemember };
}

/** An exact serial means its entry. Once a name has become an entry, there is nothing to create. */
function applicable(decision: NameDecision | undefined, { match }: NameGroup): NameDecision | undefined {
  const isSettled = match === 'serial' || (match === 'name' && decision?.kind === 'create');
  return isSettled ? undefined : decision;
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

/** What the service doesn't know about a name yet. A new entry is known by its name as soon as a user has it. */
function newsOf(
  { name }: GivenDecision,
  { byName }: FieldNames,
  decisions: ReadonlyMap<string, NameDecision>,
): Schemas['RememberedName'][] {
  const { key, match, entry } = resolvedIn(byName, name);
  const decision = decisions.get(key);
  if (match === 'serial' || match === 'name' || !decision) return [];
  if (decision.kind === 'create') return match === 'decision' ? [{ name, isForgotten: true }] : [];
  const serial = decision.kind === 'use' ? decision.entry.serial : null;
  if (match === 'decision' && (entry?.serial ?? null) === serial) return [];
  return [{ name, serial }];
}
