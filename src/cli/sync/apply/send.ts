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
import { type ItemResult, kindOfEffect, type SyncCall, safetyLimitText } from '#sheets';
import { type PlanOptions, planQuery } from '../../planning/options.js';
import { CommandProblem } from '../../problem.js';

export interface SendOptions {
  readonly rollcall: Rollcall;
  /** Prefix of the idempotency keys, followed by the chunk name. New for every run, because the remaining work differs. */
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
  /** Employee IDs mean the users who had them at this time. */
  readonly asOf?: string | undefined;
  /** Once aborted, running requests finish and no new ones start. */
  readonly signal: AbortSignal;
}

/**
 * Sends a call, and again with the number of affected users if it exceeds the safety limit and that is confirmed.
 * Returns the result of each item. Only what a call that may create did to a user can differ from what was decided.
 */
export async function sendCall(
  options: SendOptions,
  chunk: string,
  { create, items }: Pick<SyncCall, 'create' | 'items'>,
  mode: 'oneByOne' | 'finalState' = 'oneByOne',
): Promise<ItemResult[]> {
  const { rollcall, keyPrefix, signal, asOf, notify, deliver, rehire } = options;
  const query = create ? { rehire, deliver, effects: true } : { create, mode };
  const results: ItemResult[] = [];
  const send = async (key: string, confirm?: number) => {
    try {
      await upsertInBulk(rollcall, items as Schemas['BulkUpsertItem'][], {
        query: { ...query, confirm, asOf, notify, ...previewOrPlan(options) },
        ...{ signal, idempotencyKeyPrefix: `${keyPrefix}-${chunk}-${key}` },
        onOutcomes: (outcomes, call) => {
          for (const outcome of outcomes) results.push(resultOf(outcome, call));
        },
      });
    } catch (error) {
      throw error instanceof BulkInterrupted ? error.cause : error;
    }
  };
  const key = create ? 'c' : 'u';
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
function previewOrPlan({ dryRun, plan, label }: SendOptions) {
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
