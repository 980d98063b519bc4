import { type MemberChanges, membersAttribute, normalizedValue, readMembers } from './group-members.js';
import type { BoundFilter } from './language/bound-filter.js';
import { changeKinds } from './language/change.js';
import { isObject, type JsonObject, own } from './language/json.js';
import { done, failed, type Outcome, type ScimFailure } from './language/outcome.js';
import { applyPatch, changesMax } from './language/patch.js';
import { parsePath } from './language/path.js';
import { type Target, targetOf } from './language/target.js';
import { groupSchema } from './schemas.js';

/** What a PATCH request makes of a group. */
export type GroupPatch =
  | {
      readonly isIncremental: true;
      /** The group after the change, without its members. */
      readonly resource: JsonObject;
      readonly members: MemberChanges;
    }
  /** It depends on which members there are. */
  | { readonly isIncremental: false };

/**
 * Reads a PATCH request without knowing the members, so that it costs the same for any number of them: members that are
 * added or removed by value, replaced by others, or all removed. Yields where they are many.
 */
export function* readGroupPatch(
  group: JsonObject,
  operations: readonly unknown[],
): Generator<void, Outcome<GroupPatch>, void> {
  const problem = countProblem(group, operations);
  if (problem) return problem;
  const members = new MemberChangeList();
  const others: unknown[] = [];
  for (const operation of operations) {
    if (others.length % operationsReadAtOnce === operationsReadAtOnce - 1) yield;
    const split = splitOperation(operation);
    if (!split) return done({ isIncremental: false });
    others.push(split.other);
    for (const change of split.members) {
      const problem = yield* members.apply(change);
      if (problem) return { ...problem, detail: `Operations[${others.length - 1}]: ${problem.detail}` };
    }
  }
  const resource = applyPatch(group, others, groupSchema);
  if (!resource.ok) return resource;
  return done({ isIncremental: true, resource: resource.value, members: members.changes });
}

const operationsReadAtOnce = 20;

/** Refuses too many operations before any of them is read. */
function countProblem(group: JsonObject, operations: readonly unknown[]): ScimFailure | undefined {
  if (operations.length <= changesMax) return undefined;
  const refused = applyPatch(group, operations, groupSchema);
  return refused.ok ? undefined : refused;
}

/**
 * Applies operations that depend on which members there are. Each one reads all of them, so that many operations on many
 * members are refused: 100 on 30,000 took 15 seconds. Yields between operations.
 */
export function* patchWithMembers(
  group: JsonObject,
  operations: readonly unknown[],
): Generator<void, Outcome<JsonObject>, void> {
  const problem = countProblem(group, operations);
  if (problem) return problem;
  const members = operations.reduce((sum: number, each) => sum + membersIn(each), listedIn(group.members));
  const comparisons = operations.reduce((sum: number, each) => sum + comparisonsIn(each), 0);
  if (members > membersComparedMax || members * comparisons > memberComparisonsMax) {
    return failed(
      'tooMany',
      'The operations compare too many members. Send fewer at once, or select members by their values: members[value eq "<id>"].',
    );
  }
  let current = group;
  for (const [index, operation] of operations.entries()) {
    if (index > 0) yield;
    const changed = applyPatch(current, [operation], groupSchema);
    if (!changed.ok) return { ...changed, detail: changed.detail.replace('[0]', `[${index}]`) };
    current = changed.value;
  }
  return done(current);
}

/** Of one operation, which doesn't yield: some 50 ms. */
const membersComparedMax = 10_000;
/** About 2 s in all. With 1,000 members, that is 250 operations with a short path. */
const memberComparisonsMax = 500_000;
/** A filter has no more comparisons than its length allows. */
const comparisonLength = 20;

/** How many members an operation names at most. */
function membersIn(operation: unknown): number {
  const sent = isObject(operation) ? own(operation, 'value') : undefined;
  if (!isObject(sent)) return listedIn(sent);
  return Object.values(sent).reduce((sum: number, each) => sum + listedIn(each), 1);
}

function listedIn(sent: unknown): number {
  if (Array.isArray(sent)) return sent.length;
  return sent === undefined ? 0 : 1;
}

/** How often an operation compares each member, at most. Without a path, its value has paths as names. */
function comparisonsIn(operation: unknown): number {
  if (!isObject(operation)) return 1;
  const [path, sent] = ['path', 'value'].map((name) => own(operation, name));
  const paths = typeof path === 'string' ? [path] : isObject(sent) ? Object.keys(sent) : [];
  return paths.reduce((sum, each) => sum + 1 + Math.floor(each.length / comparisonLength), 0) || 1;
}

type MemberOperation =
  | { readonly kind: 'add' | 'replace'; readonly sent: unknown }
  | { readonly kind: 'remove'; readonly values: readonly string[] }
  | { readonly kind: 'removeListed'; readonly sent: unknown }
  | { readonly kind: 'clear' };

interface SplitOperation {
  readonly members: readonly MemberOperation[];
  /** What the operation does besides, in its place, so that failures name its position. */
  readonly other: unknown;
}

/** Stands for an operation that does nothing else. */
const nothingElse = { op: 'add', value: {} };

/** Undefined if the operation depends on which members there are. */
function splitOperation(operation: unknown): SplitOperation | undefined {
  const unchanged = { members: [], other: operation };
  if (!isObject(operation)) return unchanged;
  const [op, path, sent] = ['op', 'path', 'value'].map((name) => own(operation, name));
  const kind = changeKinds.find((each) => typeof op === 'string' && op.toLowerCase() === each);
  if (!kind || (kind !== 'remove' && sent === undefined)) return unchanged;
  if (typeof path === 'string') {
    const target = membersTarget(path);
    if (!target) return unchanged;
    const change = memberOperation(kind, target, sent);
    return change && { members: [change], other: nothingElse };
  }
  if (kind === 'remove' || !isObject(sent)) return unchanged;
  const members: MemberOperation[] = [];
  const rest: [string, unknown][] = [];
  for (const [name, value] of Object.entries(sent)) {
    const target = membersTarget(name);
    if (!target) {
      rest.push([name, value]);
      continue;
    }
    const change = memberOperation(kind, target, value);
    if (!change) return undefined;
    members.push(change);
  }
  return members.length === 0
    ? unchanged
    : { members, other: { ...operation, value: Object.fromEntries(rest) } };
}

/** Undefined if the path leads elsewhere, or nowhere. */
function membersTarget(text: string): Target | undefined {
  const path = parsePath(text);
  const target = path.ok ? targetOf(path.value, groupSchema) : undefined;
  return target?.ok && target.value.steps[0] === membersAttribute ? target.value : undefined;
}

function memberOperation(
  kind: 'add' | 'remove' | 'replace',
  { steps, filter }: Target,
  sent: unknown,
): MemberOperation | undefined {
  if (steps.length > 1) return undefined;
  if (filter) {
    const values = kind === 'remove' ? valuesSelectedBy(filter) : undefined;
    return values && { kind: 'remove', values };
  }
  if (kind !== 'remove') return { kind, sent };
  // Entra ID lists the members to remove in "value".
  return sent === undefined || sent === null ? { kind: 'clear' } : { kind: 'removeListed', sent };
}

/** The values of a filter that says nothing else: `value eq "a" or value eq "b"`. */
export function valuesSelectedBy(filter: BoundFilter): readonly string[] | undefined {
  if (filter.kind === 'or') {
    const parts = filter.filters.map(valuesSelectedBy);
    return parts.every((each) => each !== undefined) ? parts.flat() : undefined;
  }
  const isValue =
    filter.kind === 'compare' &&
    filter.operator === 'eq' &&
    filter.steps.length === 1 &&
    filter.steps[0].name === 'value';
  return isValue && typeof filter.operand === 'string' ? [normalizedValue(filter.operand)] : undefined;
}

/** Later operations take precedence over earlier ones. */
class MemberChangeList {
  #clears = false;
  #added = new Map<string, JsonObject>();
  #removed = new Set<string>();

  get changes(): MemberChanges {
    return { clears: this.#clears, added: this.#added, removed: this.#removed };
  }

  *apply(operation: MemberOperation): Generator<void, ScimFailure | undefined, void> {
    switch (operation.kind) {
      case 'clear':
        this.#clear();
        return undefined;
      case 'remove':
        for (const value of operation.values) this.#remove(value);
        return undefined;
      default: {
        const isRemoved = operation.kind === 'removeListed';
        const members = yield* readMembers(operation.sent, isRemoved ? 'to remove' : 'to add');
        if (!members.ok) return members;
        if (operation.kind === 'replace') this.#clear();
        for (const [value, details] of members.value) {
          if (isRemoved) this.#remove(value);
          else this.#add(value, details);
        }
        return undefined;
      }
    }
  }

  #clear(): void {
    this.#clears = true;
    this.#added.clear();
    this.#removed.clear();
  }

  #add(value: string, details: JsonObject): void {
    this.#removed.delete(value);
    this.#added.set(value, { ...this.#added.get(value), ...details });
  }

  #remove(value: string): void {
    this.#added.delete(value);
    if (!this.#clears) this.#removed.add(value);
  }
}
