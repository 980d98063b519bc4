import type { Rollcall, Schemas } from '#client';
import { formatFields } from '../changes/format-change.js';
import { type OutcomeRow, printOutcomes } from '../outcome-table.js';
import { printMessage } from '../output.js';
import { type PlannedCall, printPlanned } from '../planning/planned-call.js';
import { formatTime } from '../terminal/format-time.js';
import { count } from '../terminal/numbers.js';
import { callName } from './call-names.js';
import type { Call } from './format-call.js';

const effects: Readonly<Record<Schemas['Effect']['kind'], string>> = {
  updated: 'reverted',
  rehired: 'reverted',
  deleted: 'removed',
  erased: 'erased',
  created: 'restored',
  unchanged: 'unchanged',
};

/** A dry run and a plan list all users; an undo lists those it kept, and why. */
export async function printUndoReport(rollcall: Rollcall, call: Call, undone: Undone): Promise<void> {
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
export interface Undone {
  readonly callId: string;
  /** The call that is the undo; null for a dry run. */
  readonly undoneBy: string | null;
  /** Set if that call was planned instead of run. */
  readonly planned: PlannedCall | undefined;
  readonly succeeded: Schemas['UndoReport']['data']['successItems'];
  readonly failed: Schemas['UndoReport']['data']['failedItems'];
}
