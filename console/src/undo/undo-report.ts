import type { Schemas } from '@rollcall/client';

export type UndoReport = Schemas['UndoReport']['data'];
type ReportItem = Pick<UndoReport['failedItems'][number], 'payload'>;

export function employeeIDOf({ payload }: ReportItem): string {
  return String((payload as { readonly employeeID?: unknown }).employeeID ?? '');
}

export interface UndoCounts {
  readonly restored: number;
  /** Users that the undone calls had created. */
  readonly removed: number;
  readonly skipped: number;
}

export function countUndo({ successItems, failedItems }: UndoReport): UndoCounts {
  const removed = successItems.filter(({ effect }) => effect?.kind === 'deleted').length;
  return { restored: successItems.length - removed, removed, skipped: failedItems.length };
}

export type UndoNote = 'messages' | 'roles' | 'again';

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

export function mergeReports(reports: readonly UndoReport[]): UndoReport {
  return {
    successItems: reports.flatMap(({ successItems }) => successItems),
    failedItems: reports.flatMap(({ failedItems }) => failedItems),
  };
}
