import {
  type AnsweredCall,
  BulkInterrupted,
  createInBulk,
  type Outcome as ItemOutcome,
  isRollcallError,
  type Rollcall,
  type RollcallError,
  upsertInBulk,
} from '#client';
import { type PlanOptions, planQuery } from '../../planning/options.js';
import { CommandProblem } from '../../problem.js';
import { safetyLimitProblem } from '../../safety-limit-problem.js';
import type { CreateItem, UpdateItem } from '../decide.js';

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
  /** If calls are to be planned instead of run. */
  readonly plan: PlanOptions;
  /** Kept with the calls. */
  readonly label: { readonly source: string; readonly note: string | undefined };
  /** Employee IDs mean the users who had them at this time. */
  readonly asOf?: string | undefined;
  /** Once aborted, running requests finish and no new ones start. */
  readonly signal: AbortSignal;
}

/** The result of one item, in the order sent. */
export type Sent =
  /** A planned item has not been done yet. */
  | { readonly ok: true; readonly serial: string | null; readonly isPlanned?: boolean }
  | {
      readonly ok: false;
      readonly code: string;
      readonly detail: string;
      readonly taken?: string | undefined;
    };

export async function sendUpdates(
  options: SendOptions,
  chunk: string,
  items: readonly UpdateItem[],
  mode: 'oneByOne' | 'finalState' = 'oneByOne',
): Promise<Sent[]> {
  if (items.length === 0) return [];
  const { rollcall, asOf, notify } = options;
  return confirmed(options, chunk, (sending, confirm) =>
    upsertInBulk(rollcall, items, {
      ...sending,
      query: { create: false, mode, confirm, asOf, notify, ...previewOrPlan(options) },
    }),
  );
}

/** A user who is active by now is updated; one who is gone is created. */
export async function sendRehires(
  options: SendOptions,
  chunk: string,
  items: readonly UpdateItem[],
): Promise<Sent[]> {
  if (items.length === 0) return [];
  const { rollcall, asOf, deliver, notify } = options;
  return confirmed(options, chunk, (sending, confirm) =>
    upsertInBulk(rollcall, items, {
      ...sending,
      query: { rehire: true, confirm, asOf, deliver, notify, ...previewOrPlan(options) },
    }),
  );
}

/** Sends items, and again with the number of affected users if they exceed the safety limit and that is confirmed. */
async function confirmed(
  options: SendOptions,
  chunk: string,
  send: (sending: ReturnType<typeof common>, confirm?: number) => Promise<unknown>,
): Promise<Sent[]> {
  const sent: Sent[] = [];
  const run = (confirm?: number) =>
    send(common(options, confirm === undefined ? chunk : `${chunk}-confirmed`, sent), confirm);
  try {
    await run();
  } catch (error) {
    const cause = causeOf(error);
    if (!isRollcallError(cause, 'CALL_EXCEEDS_SAFETY_LIMIT') || cause.data.confirm === undefined) throw cause;
    if (!options.confirm) throw exceedsSafetyLimit(cause);
    await run(cause.data.confirm).catch((again) => {
      throw causeOf(again);
    });
  }
  return sent;
}

export async function sendCreates(
  options: SendOptions,
  chunk: string,
  items: readonly CreateItem[],
): Promise<Sent[]> {
  if (items.length === 0) return [];
  const sent: Sent[] = [];
  try {
    await createInBulk(options.rollcall, items, {
      ...common(options, chunk, sent),
      query: { deliver: options.deliver, ...previewOrPlan(options) },
    });
  } catch (error) {
    throw causeOf(error);
  }
  return sent;
}

/** A dry run previews the same whether or not the calls are to be planned. */
function previewOrPlan({ dryRun, plan, label }: SendOptions) {
  return dryRun ? { dryRun } : { ...planQuery(plan), ...label };
}

function common<Item>({ keyPrefix, signal }: SendOptions, chunk: string, sent: Sent[]) {
  return {
    idempotencyKeyPrefix: `${keyPrefix}-${chunk}`,
    signal,
    onOutcomes: (outcomes: ItemOutcome<Item>[], { isPlanned }: AnsweredCall) => {
      for (const outcome of outcomes) sent.push(asSent(outcome, isPlanned));
    },
  };
}

function asSent(outcome: ItemOutcome<unknown>, isPlanned: boolean): Sent {
  if (outcome.ok) return { ok: true, serial: outcome.serial, isPlanned };
  const { error, reason } = outcome;
  if (error.name === 'SERVICE_UNAVAILABLE' || error.name === 'SERVICE_OUTCOME_UNKNOWN') {
    throw new CommandProblem('unreachable', `The service lost its database during a call: ${reason}`);
  }
  const isTaken = error.name === 'USER_EMPLOYEE_ID_EXISTS' || error.name === 'USER_USERNAME_EXISTS';
  const taken = isTaken ? error.data.takenBy?.value : undefined;
  return { ok: false, code: error.name, detail: reason, taken };
}

function causeOf(error: unknown): unknown {
  return error instanceof BulkInterrupted ? error.cause : error;
}

function exceedsSafetyLimit(cause: RollcallError<'CALL_EXCEEDS_SAFETY_LIMIT'>): CommandProblem {
  const next = 'To proceed, run the sync again with --confirm.';
  return new CommandProblem('refused', `${safetyLimitProblem(cause.data)} ${next}`, { cause });
}
