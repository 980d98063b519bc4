import {
  type AnsweredCall,
  BulkInterrupted,
  type Outcome as ItemOutcome,
  isRollcallError,
  type Rollcall,
  type RollcallError,
  type Schemas,
  upsertInBulk,
} from '#client';
import {
  type ItemResult,
  type KnownUsers,
  kindOfEffect,
  type SyncCall,
  type SyncTarget,
  safetyLimitText,
} from '#sheets';
import { type PlanOptions, planQuery } from '../../planning/options.js';
import { CommandProblem } from '../../problem.js';

/** What a lookup depends on besides the employee IDs. */
export interface LookupOptions {
  readonly rollcall: Rollcall;
  /** Once aborted, running requests finish and no new ones start. */
  readonly signal: AbortSignal;
  /** Employee IDs mean the users who had them at this time. */
  readonly asOf: string | undefined;
  /** Notes employee IDs that meant another user when the file was written. */
  readonly reassigned?: ReassignedIds | undefined;
}

/** Employee IDs of a file that have changed hands since it was written. */
export interface ReassignedIds {
  readonly since: string;
  readonly ids: Set<string>;
}

export interface TargetOptions extends LookupOptions {
  /** Prefix of the idempotency keys, followed by the key of the call. New for every run, because the remaining work differs. */
  readonly keyPrefix: string;
  readonly deliver: 'now' | 'hold';
  /** Confirm calls that exceed the safety limit of the service. */
  readonly confirm: boolean;
  readonly dryRun: boolean;
  /** Whether users are notified of changes to their accounts. */
  readonly notify: boolean;
  /** Whether inactive users are rehired if their row says that they are active. */
  readonly rehire: boolean;
  /** If calls are to be planned instead of run. */
  readonly plan: PlanOptions;
  /** Kept with the calls. */
  readonly label: { readonly source: string; readonly note: string | undefined };
}

/** A running service, by the employee IDs that the file has. */
export function httpTarget(options: TargetOptions): SyncTarget {
  return {
    lookup: (employeeIDs) => lookup(options, employeeIDs),
    send: (key, call, mode) => sendCall(options, key, call, mode),
  };
}

/** The same service, by the employee IDs of now. Says how to keep the last administrator, who can be in no file. */
export function missingUsersTarget(options: TargetOptions): SyncTarget {
  const { lookup, send } = httpTarget({ ...options, asOf: undefined, reassigned: undefined });
  return {
    lookup,
    send: async (key, call, mode) => {
      const results = await send(key, call, mode);
      return results.map((result, at): ItemResult => {
        if (result.ok || result.code !== 'USER_LAST_ADMINISTRATOR') return result;
        const advice = ` Keep them active with --keep ${call.items[at]?.employeeID}.`;
        return { ...result, detail: result.detail + advice };
      });
    },
  };
}

async function lookup(
  { rollcall, signal, asOf, reassigned }: LookupOptions,
  employeeIDs: readonly string[],
): Promise<KnownUsers> {
  const { body } = await rollcall.call('lookupUsers', {
    query: { asOf, changedSince: reassigned?.since },
    body: { employeeIDs: [...employeeIDs] },
    retry: { signal },
  });
  for (const id of body.data.reassigned ?? []) reassigned?.ids.add(id);
  return new Map(body.data.items.map(asOfThen).map((user) => [user.employeeID, user]));
}

/** With as-of addressing, a row names a user by the employee ID of then, and does not change the present one. */
function asOfThen({ employeeIDAsOf, ...user }: Schemas['FoundUser']): Schemas['User'] {
  return employeeIDAsOf === undefined ? user : { ...user, employeeID: employeeIDAsOf };
}

/**
 * Sends a call, and again with the number of affected users if it exceeds the safety limit and that is confirmed.
 * Returns the result of each item. Only what a call that may create did to a user can differ from what was decided.
 */
async function sendCall(
  options: TargetOptions,
  key: string,
  { create, items }: Pick<SyncCall, 'create' | 'items'>,
  mode: 'oneByOne' | 'finalState',
): Promise<ItemResult[]> {
  const { rollcall, keyPrefix, signal, asOf, notify, deliver, rehire } = options;
  const query = create ? { rehire, deliver, effects: true } : { create, mode };
  const results: ItemResult[] = [];
  const send = async (idempotencyKey: string, confirm?: number) => {
    try {
      await upsertInBulk(rollcall, items as Schemas['BulkUpsertItem'][], {
        query: { ...query, confirm, asOf, notify, ...previewOrPlan(options) },
        ...{ signal, idempotencyKeyPrefix: `${keyPrefix}-${idempotencyKey}` },
        onOutcomes: (outcomes, call) => {
          for (const outcome of outcomes) results.push(resultOf(outcome, call));
        },
      });
    } catch (error) {
      throw error instanceof BulkInterrupted ? error.cause : error;
    }
  };
  try {
    await send(key);
  } catch (error) {
    if (!isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT') || error.data.confirm === undefined) throw error;
    if (!options.confirm) throw exceedsSafetyLimit(error);
    await send(`${key}-confirmed`, error.data.confirm);
  }
  return results;
}

/** A dry run previews the same whether or not the calls are to be planned. */
function previewOrPlan({ dryRun, plan, label }: TargetOptions) {
  return dryRun ? { dryRun } : { ...planQuery(plan), ...label };
}

function resultOf(outcome: ItemOutcome<unknown>, { isPlanned }: AnsweredCall): ItemResult {
  if (outcome.ok) {
    const { serial, effect } = outcome;
    return { ok: true, serial, isPlanned, kind: effect && kindOfEffect(effect) };
  }
  const { error, reason } = outcome;
  if (error.name === 'SERVICE_UNAVAILABLE' || error.name === 'SERVICE_OUTCOME_UNKNOWN') {
    throw new CommandProblem('unreachable', `The service lost its database during a call: ${reason}`);
  }
  const isTaken = error.name === 'USER_EMPLOYEE_ID_EXISTS' || error.name === 'USER_USERNAME_EXISTS';
  const taken = isTaken ? error.data.takenBy?.value : undefined;
  return { ok: false, code: error.name, detail: reason, taken };
}

function exceedsSafetyLimit(cause: RollcallError<'CALL_EXCEEDS_SAFETY_LIMIT'>): CommandProblem {
  const next = 'This call changed nothing. To proceed, run the sync again with --confirm.';
  return new CommandProblem('refused', `${safetyLimitText(cause.data)} ${next}`, { cause });
}
