import { isRollcallError, type Rollcall } from '#client';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { isPlan, type PlanOptions, planQuery } from '../planning/options.js';
import { plannedCallOf } from '../planning/planned-call.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { safetyLimitProblem } from '../safety-limit-problem.js';
import { connectInteractive } from '../session/connect.js';
import { confirmOrAbort } from '../terminal/confirm.js';
import { formatTime } from '../terminal/format-time.js';
import { counted } from '../terminal/numbers.js';
import { callName } from './call-names.js';
import { callsToUndo } from './calls-to-undo.js';
import type { Call } from './format-call.js';
import { printUndoReport, type Undone } from './print-undo-report.js';

export interface UndoOptions extends JsonOption, PlanOptions {
  readonly requestId?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly confirm?: number | undefined;
  readonly yes?: boolean | undefined;
}

/** `rollcall calls undo ID…` */
export async function undoCalls(ids: readonly string[], options: UndoOptions): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const calls = await callsToUndo(rollcall, ids, options.requestId);
  planQuery(options); // rejects wrong use before anything is sent
  if ((options.confirm !== undefined || isPlan(options)) && calls.length > 1) {
    const name = isPlan(options) ? 'Planning' : '--confirm';
    throw new CommandProblem(
      'wrongUse',
      `${name} works with a single call. Undo these one by one, newest first.`,
    );
  }
  if (calls.length === 0)
    printMessage('Nothing to undo: these calls changed nothing, or have already been undone.');
  else if (!options.dryRun) await confirmOrAbort(question(calls, options), options.yes);
  else if (calls.length > 1) {
    printMessage(
      'Each call is previewed on its own. Values that a newer call changed again are shown as changed since.',
    );
  }
  const undone: Undone[] = [];
  try {
    for (const call of calls) {
      undone.push(await undo(rollcall, call, options));
      if (!options.json) await printUndoReport(rollcall, call, undone.at(-1) as Undone);
      // The older ones depend on it.
      if (undone.at(-1)?.planned) break;
    }
    if (undone.length < calls.length) printNotUndone(calls.slice(undone.length));
  } catch (error) {
    if (undone.length > 0) printNotUndone(calls.slice(undone.length));
    throw error;
  } finally {
    if (options.json) printJson(undone.map(asJson));
  }
  const isComplete = undone.length === calls.length && undone.every(({ failed }) => failed.length === 0);
  return isComplete ? 'done' : 'someFailed';
}

function printNotUndone(calls: readonly Call[]): void {
  printMessage(`Not undone: ${calls.map(({ id }) => id).join(' ')}`);
}

function question(calls: readonly Call[], options: PlanOptions): string {
  const changes = counted(
    calls.reduce((sum, call) => sum + call.changes, 0),
    'change',
  );
  const [first] = calls;
  return calls.length === 1 && first
    ? `${isPlan(options) ? 'Plan to undo' : 'Undo'} the ${callName(first.kind)} of ${formatTime(first.startedAt)}, which made ${changes}?`
    : `Undo ${calls.length} bulk calls, which made ${changes}?`;
}

async function undo(rollcall: Rollcall, { id }: Call, options: UndoOptions): Promise<Undone> {
  const { dryRun, confirm } = options;
  try {
    const reply = await rollcall.call('undoCall', {
      path: { id },
      query: { dryRun: dryRun || undefined, confirm, ...planQuery(options) },
    });
    const { successItems: succeeded, failedItems: failed } = reply.body.data;
    const planned = await plannedCallOf(rollcall, reply);
    return { callId: id, undoneBy: reply.headers.get('x-call-id'), planned, succeeded, failed };
  } catch (error) {
    if (!isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT') || error.data.confirm === undefined) throw error;
    const next = `To proceed, run \`rollcall calls undo ${id} --confirm ${error.data.confirm}\`.`;
    const problem = `Could not undo the call. ${safetyLimitProblem(error.data)} ${next}`;
    throw new CommandProblem('refused', problem, { cause: error });
  }
}

function asJson({ callId, undoneBy, planned, succeeded, failed }: Undone) {
  return {
    callId,
    undoneBy,
    planned: planned !== undefined,
    succeeded: succeeded.length,
    failed: failed.length,
    outcomes: [
      ...succeeded.map(({ payload, effect }) => ({ ...payload, ok: true, effect })),
      ...failed.map(({ payload, error }) => ({ ...payload, ok: false, error })),
    ],
  };
}
