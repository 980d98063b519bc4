import { rollcall } from '../session/api.js';
import type { UndoCall } from './undo-calls.js';

export const undoCall: UndoCall = async (id, { dryRun, confirm, signal }) => {
  const query = { dryRun, confirm };
  const { status, body, headers } = await rollcall.call('undoCall', { path: { id }, query, signal });
  return { report: body.data, callId: headers.get('x-call-id'), isPlanned: status === 202 };
};
