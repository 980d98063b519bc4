import { type ItemResult, type KnownUser, kindOfEffect, type SyncItem, type SyncTarget } from '#sheets';
import { takenByOf } from '../../contract/errors.js';
import type { FeedRules } from '../../contract/feed-settings.js';
import type { UserView } from '../../contract/users.js';
import { feedFacts } from '../../storage/feeds/feed-users.js';
import { lookupUsers } from '../../storage/users/lookup-users.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import { showUsers } from '../attributes/show-users.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { completed } from '../bulk/run-call.js';
import { anyNumber } from '../bulk/safety-limit.js';
import { type Caller, maySeeSensitive } from '../caller.js';
import { NodeUnavailable } from '../outage.js';
import type { Parsed } from '../read-fields.js';
import {
  type BulkChangeContext,
  type ChangeOptions,
  previewUpdates,
  upsertUsersBulk,
} from '../users/update-users-bulk.js';
import { type BulkChange, type InitialPasswordRules, parseUpsert } from '../users/user-rules.js';
import { type FeedScope, isInScope } from './feed-scope.js';

export interface FeedTargetContext extends BulkChangeContext, InitialPasswordRules {}

/** One run, as far as the users are concerned. */
export interface FeedTargetRun {
  readonly feed: string;
  readonly caller: Caller;
  readonly rules: FeedRules;
  readonly scope: FeedScope;
  readonly label: { readonly source: string; readonly note: string };
}

type Call = Parameters<SyncTarget['send']>[1];
type Mode = Parameters<SyncTarget['send']>[2];

/** Brings the users of this service in line with a file: each call is a bulk call, like those of any caller. */
export function feedTarget(
  context: FeedTargetContext,
  run: FeedTargetRun,
  /** Of users who exist. */
  wrote: (items: readonly SyncItem[]) => void,
): SyncTarget {
  return guarded(context, run, async (items, call, mode) => {
    const request = await readItems(context, run, items, call, mode);
    const { parsed, options } = request;
    const result = await completed(
      upsertUsersBulk(context, [parsed], { ...options, effects: call.create, label: run.label }),
    );
    if (!result.ok) throw new NodeUnavailableCall(result.failure.detail);
    if (result.interruption !== undefined) throw result.interruption;
    if (!call.create) wrote(items.filter((_, at) => result.outcomes[at]?.ok));
    return result.outcomes.map(resultOf);
  });
}

/** Previews each call instead. */
export function previewTarget(context: FeedTargetContext, run: FeedTargetRun): SyncTarget {
  return guarded(context, run, async (items, call, mode) => {
    const { outcomes } = await previewItems(context, run, items, call, mode);
    return outcomes.map(resultOf);
  });
}

/** A call with what it would do. */
export async function previewItems(
  context: FeedTargetContext,
  run: FeedTargetRun,
  items: readonly SyncItem[],
  call: Pick<Call, 'create'>,
  mode: Mode,
): Promise<Request & { readonly outcomes: readonly ItemOutcome[] }> {
  const request = await readItems(context, run, items, call, mode);
  const preview = await previewUpdates(context, request.parsed, request.options);
  if (!preview.ok) throw new NodeUnavailableCall(preview.failure.detail);
  return { ...request, outcomes: preview.outcomes };
}

/** Takes everything for done, and reports the items of calls to whoever measures them. */
export function measuringTarget(
  context: FeedTargetContext,
  run: FeedTargetRun,
  measure: (items: readonly SyncItem[], isForNewUsers: boolean) => Promise<void>,
): SyncTarget {
  return guarded(context, run, async (items, { create }) => {
    await measure(items, create);
    return items.map(() => ({ ok: true, serial: null }));
  });
}

/** A call as a whole can only fail because of this node: nothing of it was done. */
class NodeUnavailableCall extends NodeUnavailable {
  override readonly name = 'NodeUnavailableCall';
  readonly reason = 'a call of a feed was not accepted';
}

/** Codes of rows that the rules of the feed leave alone. */
export const skippedCodes: ReadonlySet<string> = new Set([
  'FEED_DOES_NOT_CREATE',
  'FEED_DOES_NOT_UPDATE',
  'FEED_OUT_OF_SCOPE',
  'FEED_OF_OTHER',
]);

/** Answers for what the rules of the feed don't allow, and lets the rest be sent. */
function guarded(
  context: FeedTargetContext,
  run: FeedTargetRun,
  send: (items: readonly SyncItem[], call: Call, mode: Mode) => Promise<readonly ItemResult[]>,
): SyncTarget {
  return {
    lookup: (employeeIDs) => lookup(context, run, employeeIDs),
    send: async (_key, call, mode) => {
      const refusals = await refusalsOf(context, run, call);
      const open = call.items.filter((_, at) => refusals[at] === undefined);
      const sent = open.length > 0 ? await send(open, call, mode) : [];
      let next = 0;
      return refusals.map((refusal): ItemResult => refusal ?? (sent[next++] as ItemResult)); // one per open item
    },
  };
}

/** A deactivation of a user who is missing is of a user in the scope, who belongs to no other feed. */
export async function refusalsOf(
  { database }: FeedTargetContext,
  { feed, rules, scope }: FeedTargetRun,
  { items }: Pick<Call, 'items'>,
): Promise<(ItemResult | undefined)[]> {
  const { create = true, update = true, onConflict = 'skip' } = rules;
  const facts = await feedFacts(
    database.pool,
    items.map(({ employeeID }) => employeeID),
    scope,
  );
  return items.map((item) => {
    const user = facts.get(item.employeeID);
    if (user?.feed != null && user.feed !== feed && onConflict !== 'take') {
      return onConflict === 'fail'
        ? refused('FEED_CONFLICT', `The user belongs to the feed "${user.feed}".`)
        : refused('FEED_OF_OTHER', `The user belongs to the feed "${user.feed}" and is left to it.`);
    }
    if (!user && !create) return refused('FEED_DOES_NOT_CREATE', 'The feed creates no users.');
    if (user && !update) return refused('FEED_DOES_NOT_UPDATE', 'The feed changes no users.');
    // What a user has now decides, whatever the row says. Of a new user, there is only the row.
    const isInside = user ? user.isInScope : isInScope(item, scope);
    return isInside ? undefined : refused('FEED_OUT_OF_SCOPE', 'The user is not in the scope of the feed.');
  });
}

function refused(code: string, detail: string): ItemResult {
  return { ok: false, code, detail };
}

export async function lookup(
  { database }: FeedTargetContext,
  { caller }: FeedTargetRun,
  employeeIDs: readonly string[],
): Promise<ReadonlyMap<string, KnownUser>> {
  if (employeeIDs.length === 0) return new Map();
  const users = new Map<string, KnownUser>();
  const others: UserView[] = [];
  for (const user of await lookupUsers(database.pool, 'employee_id', employeeIDs)) {
    if (isPlain(user)) users.set(user.employeeID, user);
    else others.push(user);
  }
  for (const user of await showUsers(database.pool, others, caller.actor)) users.set(user.employeeID, user);
  return users;
}

/** Stored as it is shown: showing a million users takes seconds. */
function isPlain(user: UserView): user is UserView & { readonly attributes: null } {
  return user.attributes === null && user.managerSerial === null;
}

interface Request {
  readonly parsed: readonly Parsed<BulkChange>[];
  readonly options: ChangeOptions & { readonly caller: Caller };
}

async function readItems(
  context: FeedTargetContext,
  { caller, rules }: FeedTargetRun,
  items: readonly SyncItem[],
  { create }: Pick<Call, 'create'>,
  mode: Mode,
): Promise<Request> {
  const definitions = await loadAttributes(context.database.pool);
  const seesSensitive = maySeeSensitive(caller.actor);
  const rehire = create && rules.rehire === true;
  const parsed = items.map((item, position) =>
    parseUpsert(item, { position }, { create, rehire }, context.initialPasswordCheck, (sent, origin, nulls) =>
      definitions.read(sent, origin, { nulls, maySeeSensitive: seesSensitive }),
    ),
  );
  const hold = rules.deliver === 'hold';
  return { parsed, options: { mode, hold, caller, confirmed: anyNumber } };
}

export function resultOf(outcome: ItemOutcome): ItemResult {
  if (outcome.ok) {
    const { serial, effect } = outcome;
    return { ok: true, serial, kind: effect && kindOfEffect(effect) };
  }
  const { failure } = outcome;
  const { error, detail, reason = detail } = failure;
  if (error === 'SERVICE_UNAVAILABLE' || error === 'SERVICE_OUTCOME_UNKNOWN') {
    throw new NodeUnavailableCall(detail);
  }
  const isTaken = error === 'USER_EMPLOYEE_ID_EXISTS' || error === 'USER_USERNAME_EXISTS';
  return { ok: false, code: error, detail: reason, taken: isTaken ? takenByOf(failure)?.value : undefined };
}
