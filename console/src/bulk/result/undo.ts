import type { MadeCall } from '../run/run.js';
import type { Tools } from '../state/dependencies.js';
import { safetyLimitOf } from '../state/report.js';
import type { Wizard } from '../state/wizard.js';

export interface LeftAsItIs {
  readonly employeeID: string;
  readonly message: string;
}

/** What an undo of all calls would come to, or has come to. */
export interface Undo {
  state: 'looking' | 'asking' | 'undoing' | 'failed' | 'done';
  restored: number;
  left: LeftAsItIs[];
  /** What the brake says, and the number that it wants confirmed, by call. */
  readonly brakes: Map<string, { readonly confirm: number; readonly sentence: string }>;
  error: unknown;
}

/** The last call first: what it renamed may stand in the way of an earlier one. */
export function callsToUndo({ calls }: Wizard): MadeCall[] {
  return calls.filter(({ undoneBy, succeeded }) => undoneBy === undefined && succeeded > 0).reverse();
}

/** Asks the service what an undo would do; nothing is changed. */
export async function lookAtUndo(wizard: Wizard, tools: Tools): Promise<void> {
  const undo: Undo = { state: 'looking', restored: 0, left: [], brakes: new Map(), error: undefined };
  wizard.undo = undo;
  wizard.news.changed();
  try {
    for (const { id } of callsToUndo(wizard)) {
      const report = await tools.calls.undo(id, { dryRun: true }).catch((error: unknown) => {
        const brake = noteBrake(undo, id, error, tools);
        return tools.calls.undo(id, { dryRun: true, confirm: brake.confirm });
      });
      undo.restored += report.restored;
      undo.left.push(...report.left);
    }
    undo.state = 'asking';
  } catch (error) {
    fail(undo, error, tools);
  }
  wizard.news.changed();
}

/** Undoes one call after the other. One that was undone is not asked for again if a later one fails. */
export async function undoAll(wizard: Wizard, tools: Tools): Promise<void> {
  const { undo } = wizard;
  if (!undo) return;
  Object.assign(undo, { state: 'undoing', restored: 0, left: [], error: undefined });
  wizard.news.changed();
  for (const call of callsToUndo(wizard)) {
    try {
      const confirm = undo.brakes.get(call.id)?.confirm;
      const report = await tools.calls.undo(call.id, { dryRun: false, confirm });
      call.undoneBy = report.callId ?? '';
      undo.restored += report.restored;
      undo.left.push(...report.left);
      noteUndone(wizard, call, report.left);
    } catch (error) {
      if (tools.troubleOf(error) === 'braked') {
        noteBrake(undo, call.id, error, tools);
        undo.state = 'asking';
      } else fail(undo, error, tools);
      return wizard.news.changed();
    }
    wizard.news.changed();
  }
  undo.state = 'done';
  wizard.news.changed();
}

function fail(undo: Undo, error: unknown, { troubleOf }: Tools): void {
  troubleOf(error);
  undo.state = 'failed';
  undo.error = error;
}

function noteBrake(undo: Undo, id: string, error: unknown, { troubleOf }: Tools) {
  troubleOf(error);
  const brake = safetyLimitOf(error);
  if (!brake) throw error;
  undo.brakes.set(id, brake);
  return brake;
}

/** Rows are open again, but for those that were left as they are. */
function noteUndone({ rows, check }: Wizard, call: MadeCall, left: readonly LeftAsItIs[]): void {
  if (!rows || !check) return;
  const leftIds = new Set(left.map(({ employeeID }) => employeeID));
  for (const row of call.rows) {
    if (rows.outcomes[row]?.kind !== 'done') continue;
    const { employeeID, newEmployeeID } = (check.checker.itemOf(row) ?? {}) as Record<
      string,
      string | undefined
    >;
    const isLeft = leftIds.has(employeeID ?? '') || leftIds.has(newEmployeeID ?? '');
    if (!isLeft) rows.outcomes[row] = { kind: 'undone' };
  }
}
