import {
  type AnsweredCall,
  BulkInterrupted,
  ConnectionFailed,
  createInBulk,
  type Outcome as ItemOutcome,
  isRollcallError,
  RequestFailed,
  type Rollcall,
  RollcallError,
  updateInBulk,
  upsertInBulk,
} from '#client';
import { type PlanOptions, planQuery } from '../../planning/options.js';
import { CommandProblem } from '../../problem.js';
import { safetyLimitProblem } from '../../safety-limit-problem.js';
import type { CreateItem, Patch, RehireItem, UpdateItem, UpsertItem } from '../decide.js';

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

const patchesAtOnce = 8;
const patchAttemptsMax = 5;

export async function sendUpdates(
  options: SendOptions,
  chunk: string,
  items: readonly UpdateItem[],
  mode: 'oneByOne' | 'finalState' = 'oneByOne',
): Promise<Sent[]> {
  if (items.length === 0) return [];
  const { rollcall, asOf, notify } = options;
  return confirmed(options, chunk, (sending, confirm) =>
    updateInBulk(rollcall, items, {
      ...sending,
      query: { mode, confirm, asOf, notify, ...previewOrPlan(options) },
    }),
  );
}

/** Email addresses can be changed by an upsert, which can be planned. A patch cannot. */
export async function sendUpserts(
  options: SendOptions,
  chunk: string,
  items: readonly UpsertItem[],
): Promise<Sent[]> {
  if (items.length === 0) return [];
  const { rollcall, asOf, notify } = options;
  return confirmed(options, chunk, (sending, confirm) =>
    upsertInBulk(rollcall, items, {
      ...sending,
      query: { confirm, asOf, notify, ...previewOrPlan(options) },
    }),
  );
}

/** A user who is active by now is updated; one who is gone is created. */
export async function sendRehires(
  options: SendOptions,
  chunk: string,
  items: readonly RehireItem[],
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

/** There is no dry run for a patch, so a dry run assumes that it succeeds. */
export async function sendPatches(
  options: SendOptions,
  patches: readonly { readonly serial: string; readonly patch: Patch }[],
): Promise<Sent[]> {
  const sent: Sent[] = [];
  let next = 0;
  const work = async () => {
    for (let at = next++; at < patches.length; at = next++) {
      const { serial, patch } = patches[at] as (typeof patches)[number];
      sent[at] = options.dryRun ? { ok: true, serial } : await sendPatch(options, serial, patch);
    }
  };
  await Promise.all(Array.from({ length: patchesAtOnce }, work));
  return sent;
}

/** Sets fields to fixed values, so sending it twice is harmless. */
async function sendPatch(
  { rollcall, notify, signal }: SendOptions,
  serial: string,
  patch: Patch,
): Promise<Sent> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rollcall.call('updateUser', {
        path: { serial },
        query: { notify },
        body: patch,
        retry: { signal },
      });
      return { ok: true, serial };
    } catch (error) {
      if (error instanceof RollcallError && error.status < 500 && ![401, 403, 429].includes(error.status)) {
        return { ok: false, code: error.name, detail: error.detail };
      }
      const isOpen = error instanceof RequestFailed && error.outcomeUnknown;
      if (!isOpen || attempt === patchAttemptsMax) throw error;
      if (error instanceof ConnectionFailed)
        await rollcall.call('getUser', { path: { serial }, retry: { signal } });
    }
  }
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
