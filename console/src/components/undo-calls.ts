import { isRollcallError, type Schemas } from '@rollcall/client';

/** The calls of an import have the same request ID, which begins with this. */
export const importIdPrefix = 'import-';

interface UndoOptions {
  readonly dryRun?: true;
  readonly confirm?: number | undefined;
  readonly signal?: AbortSignal;
}

export interface Undone {
  readonly report: UndoReport;
  readonly callId: string | null;
  /** The undo awaits approval: nothing has changed yet. */
  readonly isPlanned: boolean;
}

/** Undoes one call. */
export type UndoCall = (id: string, options: UndoOptions) => Promise<Undone>;

export interface UndoPreview {
  readonly report: UndoReport;
  /** How many users to confirm, by call; empty unless the safety limit asks for it. */
  readonly confirmations: ReadonlyMap<string, number>;
}

/** What undoing the calls would do. */
export async function previewUndo(
  undoCall: UndoCall,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<UndoPreview> {
  const confirmations = new Map<string, number>();
  const reports: UndoReport[] = [];
  for (const id of ids) {
    const { report } = await undoCall(id, { dryRun: true, signal }).catch((error: unknown) => {
      const confirm = confirmationIn(error);
      if (confirm === undefined) throw error;
      confirmations.set(id, confirm);
      return undoCall(id, { dryRun: true, confirm, signal }); // a preview changes nothing
    });
    reports.push(report);
  }
  return { report: mergeReports(reports), confirmations };
}

/** How many users the safety limit wants confirmed. */
export function confirmationIn(error: unknown): number | undefined {
  return isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT') ? error.data.confirm : undefined;
}

/** Undoes the calls in order and reports each one, because a later one may fail. */
export async function undoCalls(
  undoCall: UndoCall,
  ids: readonly string[],
  confirmations: UndoPreview['confirmations'],
  onCallUndone: (id: string, undone: Undone) => void,
): Promise<Undone> {
  const reports: UndoReport[] = [];
  let last: string | null = null;
  for (const id of ids) {
    const undone = await undoCall(id, { confirm: confirmations.get(id) });
    // The others are older, and depend on it.
    if (undone.isPlanned) return undone;
    onCallUndone(id, undone);
    reports.push(undone.report);
    last = undone.callId;
  }
  return { report: mergeReports(reports), callId: ids.length === 1 ? last : null, isPlanned: false };
}

export type UndoReport = Schemas['UndoReport']['data'];
type ReportItem = Pick<UndoReport['failedItems'][number], 'payload'>;

export function employeeIDOf({ payload }: ReportItem): string {
  return String((payload as { readonly employeeID?: unknown }).employeeID ?? '');
}

interface UndoCounts {
  readonly restored: number;
  /** Users that the undone calls had created. */
  readonly removed: number;
  readonly skipped: number;
}

export function countUndo({ successItems, failedItems }: UndoReport): UndoCounts {
  const removed = successItems.filter(({ effect }) => effect?.kind === 'deleted').length;
  return { restored: successItems.length - removed, removed, skipped: failedItems.length };
}

type UndoNote = 'messages' | 'roles' | 'again';

/** What to know before the undo, because it can't bring everything back. */
export function undoNotes({ successItems }: UndoReport): UndoNote[] {
  const effects = successItems.flatMap(({ effect }) => (effect ? [effect] : []));
  const becomesActive = (isActive: boolean) =>
    effects.some(({ kind, fields }) => kind !== 'deleted' && fields.isActive?.after === isActive);
  return [
    ...(effects.some(({ kind }) => kind === 'deleted') || becomesActive(false) ? ['messages' as const] : []),
    ...(becomesActive(true) ? ['roles' as const] : []),
    ...(effects.length > 0 ? ['again' as const] : []),
  ];
}

function mergeReports(reports: readonly UndoReport[]): UndoReport {
  return {
    successItems: reports.flatMap(({ successItems }) => successItems),
    failedItems: reports.flatMap(({ failedItems }) => failedItems),
  };
}

type Call = Pick<Schemas['Call'], 'state' | 'changes' | 'undoneBy'>;

/** A call that was undone can't be undone again. To redo it, its undo is undone. */
export function isUndoable({ state, changes, undoneBy }: Call): boolean {
  return state !== 'running' && changes > 0 && undoneBy === null;
}
