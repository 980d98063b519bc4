import type { Schemas } from '#client';
import { shownFields } from '../changes/shown-change.js';
import { print, say } from '../output.js';
import { count } from '../terminal/numbers.js';
import { table } from '../terminal/table.js';
import { shownTime } from '../terminal/time.js';
import type { Call } from './shown-call.js';

const effects: Readonly<Record<Schemas['Effect']['kind'], string>> = {
  updated: 'put back',
  deleted: 'removed',
  created: 'brought back',
  unchanged: 'was so already',
};

/** A preview shows everybody; what was done shows those who stayed as they are, and why. */
export function printUndoReport(call: Call, { undoneBy, succeeded, failed }: Undone): void {
  const verb = undoneBy === null ? 'Would undo' : 'Undone';
  say(
    `${verb}: the ${call.kind} of ${shownTime(call.startedAt)} (${call.id}). ${count(succeeded.length)} put back, ${count(failed.length)} kept as they are.`,
  );
  const hasChanged = succeeded.some(({ effect }) => effect?.kind !== 'unchanged');
  if (undoneBy !== null && hasChanged) say(`To take that back: rollcall calls undo ${undoneBy}`);
  const kept = failed.map(({ payload, error }) => [String(payload.employeeID), 'kept', error.detail]);
  const restored = succeeded.map(({ payload, effect }) => [
    String(payload.employeeID),
    effect ? effects[effect.kind] : '',
    effect ? shownFields(effect.kind, effect.fields) : '',
  ]);
  const rows = undoneBy === null ? [...kept, ...restored] : kept;
  if (rows.length > 0) print(table([['EMPLOYEE ID', 'OUTCOME', 'WHAT'], ...rows]));
}

/** What the undo of one call came to, or would come to. */
export interface Undone {
  readonly callId: string;
  /** The undo, which is a call too; null for a preview. */
  readonly undoneBy: string | null;
  readonly succeeded: Schemas['BulkReport']['data']['successItems'];
  readonly failed: Schemas['BulkReport']['data']['failedItems'];
}
