import type { Schemas } from '#client';
import { type CallKind, hasRun, isWaiting, type PatchKind } from '../../contract/enums.js';
import type { ListShape } from '../output.js';
import { formatLongTime, formatTime } from '../terminal/format-time.js';
import { type Actor, formatActor, serialsOfActor, type UserNames } from '../user-names.js';

export type Call = Schemas['Call'];

type Plan = NonNullable<Call['plan']>;

export function callList(names: UserNames, empty: string): ListShape<Call> {
  return {
    headings: ['ID', 'STARTED', 'KIND', 'STATE', 'EFFECTIVE', 'ITEMS', 'FAILED', 'CHANGES', 'BY', 'SOURCE'],
    row: (call) => [
      call.id,
      formatTime(call.startedAt),
      call.kind,
      call.undoneBy === null ? formatState(call) : 'undone',
      formatTime(call.plan?.effectiveAt ?? null),
      String(call.items),
      String(call.failed),
      String(call.changes),
      formatActor(call.plan?.author ?? call.actor, names),
      call.source ?? '',
    ],
    empty,
  };
}

/** Says who has to act, if someone has to. */
function formatState({ state, plan }: Call): string {
  if (!isWaiting(state) && state !== 'interrupted') return state;
  if (plan?.needsTakeover) return 'needs takeover';
  return state === 'awaitingApproval' ? 'awaiting approval' : state;
}

/** Everyone who is named in the lines of a call. */
export function serialsOfCall({ actor, plan }: Call): string[] {
  return [actor, plan?.author ?? null, plan?.approvedBy ?? null, plan?.cancelledBy ?? null].flatMap(
    serialsOfActor,
  );
}

export function formatCall(call: Call, names: UserNames): [name: string, value: string][] {
  return [
    ['ID', call.id],
    ['kind', call.kind],
    ['state', formatState(call)],
    ['by', formatActor(call.actor, names)],
    ['request ID', call.requestId],
    ['source', call.source ?? ''],
    ['note', call.note ?? ''],
    ['sets', (call.patch ?? []).map(formatPart).join(', ')],
    ...(call.plan ? formatPlan(call.plan, names) : []),
    ['started', isWaiting(call.state) ? '' : formatTime(call.startedAt)],
    ['finished', formatTime(call.finishedAt)],
    ['items', formatItems(call)],
    ['changes', String(call.changes)],
    ['replaces', call.replaces ? `${call.replaces.from} by ${call.replaces.to}` : ''],
    ['undoes', call.undoes ?? ''],
    ['undone by', call.undoneBy ?? ''],
  ];
}

const partNames: Readonly<Record<PatchKind, string>> = {
  activate: 'active',
  deactivate: 'inactive',
  addTag: 'with tag',
  removeTag: 'without tag',
  setOrganization: 'organization',
  clearOrganization: 'no organization',
  setManager: 'manager',
  clearManager: 'no manager',
  setAttribute: 'attribute',
  clearAttribute: 'no value of attribute',
};

/** "with tag T1" */
function formatPart({ kind, target }: NonNullable<Call['patch']>[number]): string {
  return target === null ? partNames[kind] : `${partNames[kind]} ${target}`;
}

function formatItems(call: Call): string {
  const { items, succeeded, failed } = call;
  return hasRun(call.state) ? `${items}: ${succeeded} succeeded, ${failed} failed` : String(items);
}

function formatPlan(plan: Plan, names: UserNames): [name: string, value: string][] {
  const lines: [string, string][] = [
    ['planned', at(plan.plannedAt, plan.author, names)],
    ['effective', plan.effectiveAt === null ? 'once approved' : formatLongTime(plan.effectiveAt)],
    ...(plan.lastWorkingDay === null ? [] : [['last working day', plan.lastWorkingDay] as [string, string]]),
    ['if changed', plan.ifChanged],
    ['approval', formatApproval(plan, names)],
    ['expires', formatTime(plan.expiresAt)],
  ];
  if (plan.cancelledAt !== null) lines.push(['cancelled', at(plan.cancelledAt, plan.cancelledBy, names)]);
  if (plan.needsTakeover) {
    lines.push([
      'takeover',
      'needed: the author no longer has the permission, the client was disabled or has a new secret, or a backup was restored after it was due',
    ]);
  }
  return lines;
}

function formatApproval({ needsApproval, approvedAt, approvedBy }: Plan, names: UserNames): string {
  if (approvedAt !== null) return at(approvedAt, approvedBy, names);
  return needsApproval ? 'needed, by someone other than the author' : 'not needed';
}

/** "2026-11-15T08:00:00Z by E1001" */
function at(time: string, actor: Actor, names: UserNames): string {
  const by = formatActor(actor, names);
  return by === '' ? formatTime(time) : `${formatTime(time)} by ${by}`;
}

const callNames: Readonly<Record<CallKind, string>> = {
  'create-bulk': 'bulk create',
  'update-bulk': 'bulk update',
  'upsert-bulk': 'bulk upsert',
  'update-matching': 'update by filter',
  'rename-organization': 'organization rename',
  'merge-organization': 'organization merge',
  'rename-tag': 'tag rename',
  'merge-tag': 'tag merge',
  'delete-attribute': 'attribute deletion',
  'erase-bulk': 'bulk erasure',
  undo: 'undo',
};

/** In a sentence. A newer service may have other kinds. */
export function callName(kind: string): string {
  return (callNames as Readonly<Record<string, string>>)[kind] ?? kind;
}
