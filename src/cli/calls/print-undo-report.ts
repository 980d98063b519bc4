import type { Schemas } from '#client';
import { formatFields } from '../changes/format-change.js';
import { print, printMessage } from '../output.js';
import { formatTime } from '../terminal/format-time.js';
import { count } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';
import type { Call } from './format-call.js';

const effects: Readonly<Record<Schemas['Effect']['kind'], string>> = {
  updated: 'reverted',
  deleted: 'removed',
  created: 'restored',
  unchanged: 'unchanged',
};

/** A dry run lists all users; an undo lists those it kept, and why. */
export function printUndoReport(call: Call, { undoneBy, succeeded, failed }: Undone): void {
  const verb = undoneBy === null ? 'Would undo' : 'Undone';
  printMessage(
    `${verb}: the ${call.kind} of ${formatTime(call.startedAt)} (${call.id}). ${count(succeeded.length)} reverted, ${count(failed.length)} kept.`,
  );
  const hasChanged = succeeded.some(({ effect }) => effect?.kind !== 'unchanged');
  if (undoneBy !== null && hasChanged) printMessage(`To redo: rollcall calls undo ${undoneBy}`);
  const kept = failed.map(({ payload, error }) => [String(payload.employeeID), 'kept', error.detail]);
  const restored = succeeded.map(({ payload, effect }) => [
    String(payload.employeeID),
    effect ? effects[effect.kind] : '',
    effect ? formatFields(effect.kind, effect.fields) : '',
  ]);
  const rows = undoneBy === null ? [...kept, ...restored] : kept;
  if (rows.length > 0) print(table([['EMPLOYEE ID', 'OUTCOME', 'WHAT'], ...rows]));
}

/** The result of undoing one call, or of a dry run. */
export interface Undone {
  readonly callId: string;
  /** The call that is the undo; null for a dry run. */
  readonly undoneBy: string | null;
  readonly succeeded: Schemas['UndoReport']['data']['successItems'];
  readonly failed: Schemas['UndoReport']['data']['failedItems'];
}
