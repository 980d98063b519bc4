import { type MemberChanges, membersByValue, normalizedValue } from './group-members.js';
import type { BoundFilter } from './language/bound-filter.js';
import { changeKinds } from './language/change.js';
import { isObject, type JsonObject, own } from './language/json.js';
import { done, type Outcome } from './language/outcome.js';
import { applyPatch } from './language/patch.js';
import { parsePath } from './language/path.js';
import { attributeNamed, type ScimAttribute } from './language/schema.js';
import { type Target, targetOf } from './language/target.js';
import { readValues } from './language/values.js';
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
 * added or removed by value, replaced by others, or all removed.
 */
export function readGroupPatch(group: JsonObject, operations: readonly unknown[]): Outcome<GroupPatch> {
  const members = new MemberChangeList();
  const others: unknown[] = [];
  for (const operation of operations) {
    const split = splitOperation(operation);
    if (!split) return done({ isIncremental: false });
    others.push(split.other);
    for (const change of split.members) {
      const problem = members.apply(change);
      if (problem) return { ...problem, detail: `Operations[${others.length - 1}]: ${problem.detail}` };
    }
  }
  const resource = applyPatch(group, others, groupSchema);
  if (!resource.ok) return resource;
  return done({ isIncremental: true, resource: resource.value, members: members.changes });
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

const membersAttribute = attributeNamed('members', groupSchema.attributes) as ScimAttribute;

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

  apply(operation: MemberOperation): Extract<Outcome<never>, { readonly ok: false }> | undefined {
    switch (operation.kind) {
      case 'clear':
        this.#clear();
        return undefined;
      case 'remove':
        for (const value of operation.values) this.#remove(value);
        return undefined;
      default: {
        const read = readValues(membersAttribute, operation.sent);
        const members = read.ok ? membersByValue(read.value) : read;
        if (!members.ok) return members;
        if (operation.kind === 'replace') this.#clear();
        for (const [value, details] of members.value) {
          if (operation.kind === 'removeListed') this.#remove(value);
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
