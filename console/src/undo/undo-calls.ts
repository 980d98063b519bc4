import { isRollcallError, type Schemas } from '@rollcall/client';
import { rollcall } from '../session/api.js';

export type UndoReport = Schemas['BulkReport']['data'];

export interface UndoPreview {
  readonly report: UndoReport;
  /** How many people have to be confirmed, if the brake asks for it. */
  readonly toConfirm: number | undefined;
}

/** What an undo would do. Behind the brake it is asked for once more with the number, because a preview does nothing. */
export async function previewUndo(id: string, signal: AbortSignal): Promise<UndoPreview> {
  const preview = async (confirm?: number) =>
    (await rollcall.call('undoCall', { path: { id }, query: { dryRun: true, confirm }, signal })).body.data;
  try {
    return { report: await preview(), toConfirm: undefined };
  } catch (error) {
    const toConfirm = isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT') ? error.data.confirm : undefined;
    if (toConfirm === undefined) throw error;
    return { report: await preview(toConfirm), toConfirm };
  }
}

export interface Undone {
  readonly report: UndoReport;
  readonly callId: string | null;
}

export async function undo(id: string, confirm: number | undefined): Promise<Undone> {
  const { body, headers } = await rollcall.call('undoCall', { path: { id }, query: { confirm } });
  return { report: body.data, callId: headers.get('x-call-id') };
}
