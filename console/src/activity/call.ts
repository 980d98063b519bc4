import type { Schemas } from '@rollcall/client';
import { changedFields } from '../components/changed-fields.js';
import { activityCopy, commonCopy, plannedCopy } from '../copy/copy.js';
import { formatList } from '../copy/format.js';

export type Call = Schemas['Call'];
export type FoundCall = Schemas['FoundCall'];
export type Plan = NonNullable<Call['plan']>;

/** Whether the call has yet to run. */
export function isWaiting({ state }: Call): boolean {
  return state === 'planned' || state === 'awaitingApproval';
}

/** Whether there is more than a preview of what it does. */
export function hasRun(call: Call): boolean {
  return !isWaiting(call) && call.state !== 'cancelled' && call.state !== 'expired';
}

const runningRefetchMs = 2_000;
const waitingRefetchMs = 10_000;

/** How soon the call may have changed; false: not by itself. */
export function refetchMs(call: Call | undefined): number | false {
  if (!call) return false;
  if (call.state === 'running') return runningRefetchMs;
  if (!isWaiting(call)) return false;
  return isDue(call) ? runningRefetchMs : waitingRefetchMs;
}

/** It runs in a moment. */
export function isDue({ state, plan }: Call): boolean {
  if (state !== 'planned' || !plan || plan.needsTakeover) return false;
  return plan.effectiveAt === null || Date.parse(plan.effectiveAt) <= Date.now() + waitingRefetchMs;
}

type Effects = NonNullable<FoundCall['effects']>;
const effectOrder = ['created', 'updated', 'renamed', 'deactivated', 'reactivated', 'removed'] as const;

/** `63 new, 17 changed, 10 deactivated and 4 reactivated. 2 rows failed.` */
export function didText({
  effects,
  changes,
  failed,
}: Pick<FoundCall, 'effects' | 'changes' | 'failed'>): string {
  const copy = activityCopy.call.did;
  const did = (counts: Effects) =>
    effectOrder.flatMap((effect) => (counts[effect] === 0 ? [] : [copy[effect](counts[effect])]));
  const parts = effects === null ? [copy.updated(changes)] : did(effects);
  const sentences = [parts.length > 0 ? `${formatList(parts)}.` : copy.nothing];
  return [...sentences, ...(failed > 0 ? [copy.failed(failed)] : [])].join(' ');
}

/** What became of the user of an item: `Deactivated`, or `Name and Email changed`. */
export function effectText(
  { kind, fields }: NonNullable<Schemas['CallItem']['effect']>,
  nameOf: (field: string) => string,
): string {
  if (kind !== 'updated') return commonCopy.changeKinds[kind];
  const { isActive } = fields;
  const copy = plannedCopy.items.did;
  if (isActive) return isActive.after === false ? copy.deactivated : copy.reactivated;
  return copy.changed(formatList(changedFields(fields).map(nameOf)));
}

type Item = Pick<Schemas['CallItem'], 'outcome' | 'effect'>;
type Does = keyof typeof plannedCopy.does;

/** What a call does, in sentences: `Deactivates 13 users.` */
export function planSummary(items: readonly Item[]): string[] {
  const kinds = items.map(doesTo);
  return (Object.keys(plannedCopy.does) as Does[]).flatMap((kind) => {
    const count = kinds.filter((each) => each === kind).length;
    return count === 0 ? [] : [plannedCopy.does[kind](count)];
  });
}

function doesTo({ outcome, effect }: Item): Does {
  if (outcome === 'failed') return 'failed';
  if (effect?.kind !== 'updated') return effect?.kind ?? 'updated';
  const { isActive, employeeID } = effect.fields;
  if (isActive) return isActive.after === false ? 'deactivated' : 'reactivated';
  return employeeID ? 'renumbered' : 'updated';
}

/** A parameter of the list of users, with its values. */
export interface FilterPart {
  readonly name: string;
  readonly values: readonly string[];
}

/** The parts of the filter that a call was planned with. */
export function filterParts(filter: string | null): FilterPart[] {
  const given = new URLSearchParams(filter ?? '');
  return [...new Set(given.keys())].map((name) => ({ name, values: given.getAll(name) }));
}

/** Whether a part of a filter names users one by one. Nobody reads their serials. */
export function isHandPicked(name: string): boolean {
  return name === 'serial' || name === 'employeeID';
}

/** How many users were selected by hand; 0 if they were found by a filter. */
export function handPicked(parts: readonly FilterPart[]): number {
  return parts.reduce((count, { name, values }) => count + (isHandPicked(name) ? values.length : 0), 0);
}

/** How many users are in each organization, the most first. */
export function organizationCounts(
  users: readonly { readonly organizationSerial: string | null }[],
): { readonly serial: string | null; readonly count: number }[] {
  const counts = new Map<string | null, number>();
  for (const { organizationSerial: serial } of users) counts.set(serial, (counts.get(serial) ?? 0) + 1);
  return [...counts]
    .map(([serial, count]) => ({ serial, count }))
    .toSorted((one, other) => other.count - one.count);
}
