import { isRollcallError, type Rollcall, type Schemas } from '#client';
import { safetyLimitText } from '#sheets';
import { formatFields } from '../changes/format-change.js';
import { type OutcomeRow, printOutcomes } from '../outcome-table.js';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { isPlan, type PlanOptions, planQuery } from '../planning/options.js';
import { type PlannedCall, plannedCallOf, printPlanned } from '../planning/planned-call.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { count, counted } from '../terminal/numbers.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { type Call, callName } from './format-call.js';

interface UndoOptions extends JsonOption, PlanOptions {
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
    const problem = `Could not undo the call. ${safetyLimitText(error.data)} Nothing was changed. ${next}`;
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

/** Newest first: later changes of a value have to be reverted before earlier ones. */
async function callsToUndo(
  rollcall: Rollcall,
  ids: readonly string[],
  requestId: string | undefined,
): Promise<Call[]> {
  if ((ids.length === 0) === (requestId === undefined)) {
    throw new CommandProblem('wrongUse', 'Specify the calls to undo: IDs or --request-id.');
  }
  return requestId === undefined ? callsWith(rollcall, ids) : callsOfRequest(rollcall, requestId);
}

async function callsWith(rollcall: Rollcall, ids: readonly string[]): Promise<Call[]> {
  const calls: Call[] = [];
  for (const id of new Set(ids)) calls.push((await rollcall.call('getCall', { path: { id } })).body.data);
  return calls.sort((a, b) => (ageKey(a) < ageKey(b) ? 1 : -1));
}

function ageKey({ startedAt, id }: Call): string {
  return `${startedAt} ${id}`;
}

/** Skips undos, and calls that changed nothing or are already undone, so that repeating the command is safe. */
async function callsOfRequest(rollcall: Rollcall, requestId: string): Promise<Call[]> {
  const calls: Call[] = [];
  let found = 0;
  for await (const call of rollcall.each('listCalls', { query: { requestId } })) {
    found++;
    if (call.kind !== 'undo' && call.changes > 0 && !(await isUndone(rollcall, call))) calls.push(call);
  }
  if (found > 0) return calls;
  throw new CommandProblem(
    'refused',
    `No bulk call has the request ID "${requestId}". To find it, run: rollcall calls list`,
  );
}

/** Fully undone, and the undo is still in effect. */
async function isUndone(rollcall: Rollcall, { undoneBy }: Call): Promise<boolean> {
  if (undoneBy === null) return false;
  const { data: undo } = (await rollcall.call('getCall', { path: { id: undoneBy } })).body;
  return undo.state === 'done' && undo.failed === 0 && undo.undoneBy === null;
}

const effects: Readonly<Record<Schemas['Effect']['kind'], string>> = {
  updated: 'reverted',
  rehired: 'reverted',
  deleted: 'removed',
  erased: 'erased',
  created: 'restored',
  unchanged: 'unchanged',
};

/** A dry run and a plan list all users; an undo lists those it kept, and why. */
async function printUndoReport(rollcall: Rollcall, call: Call, undone: Undone): Promise<void> {
  const { undoneBy, planned, succeeded, failed } = undone;
  const isDone = undoneBy !== null && planned === undefined;
  await printOutcomes(rollcall, isDone ? keptRows(undone) : [...keptRows(undone), ...revertedRows(undone)]);
  const verb = isDone ? 'Undid' : 'Would undo';
  printMessage(
    `${verb} the ${callName(call.kind)} of ${formatTime(call.startedAt)} (${call.id}). ${count(succeeded.length)} reverted, ${count(failed.length)} kept.`,
  );
  const hasChanged = succeeded.some(({ effect }) => effect?.kind !== 'unchanged');
  if (planned) printPlanned(planned);
  else if (undoneBy !== null && hasChanged) printMessage(`To redo: rollcall calls undo ${undoneBy}`);
}

function keptRows({ failed }: Undone): OutcomeRow[] {
  return failed.map(({ payload, error }) => [String(payload.employeeID), 'kept', error.detail]);
}

function revertedRows({ succeeded }: Undone): OutcomeRow[] {
  return succeeded.map(({ payload, effect }) => [
    String(payload.employeeID),
    effect ? effects[effect.kind] : '',
    effect ? formatFields(effect.kind, effect.fields) : '',
  ]);
}

/** The result of undoing one call, or of a dry run. */
interface Undone {
  readonly callId: string;
  /** The call that is the undo; null for a dry run. */
  readonly undoneBy: string | null;
  /** Set if that call was planned instead of run. */
  readonly planned: PlannedCall | undefined;
  readonly succeeded: Schemas['UndoReport']['data']['successItems'];
  readonly failed: Schemas['UndoReport']['data']['failedItems'];
}
