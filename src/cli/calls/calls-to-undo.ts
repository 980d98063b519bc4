import type { Rollcall } from '#client';
import { CommandProblem } from '../problem.js';
import type { Call } from './shown-call.js';

/** The calls that are meant, the newest first: whatever one of them changed again has to be put back before. */
export async function callsToUndo(
  rollcall: Rollcall,
  ids: readonly string[],
  requestId: string | undefined,
): Promise<Call[]> {
  if ((ids.length === 0) === (requestId === undefined)) {
    throw new CommandProblem('wrongUse', 'Say which calls to undo: their IDs, or --request-id.');
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

/** An undo is not among them, nor what changed nothing or was put back already: a second time is as good as once. */
async function callsOfRequest(rollcall: Rollcall, requestId: string): Promise<Call[]> {
  const calls: Call[] = [];
  let found = 0;
  for await (const call of rollcall.each('listCalls', { query: { requestId } })) {
    found++;
    if (call.kind !== 'undo' && call.changes > 0 && !(await isPutBack(rollcall, call))) calls.push(call);
  }
  if (found > 0) return calls;
  throw new CommandProblem(
    'refused',
    `No bulk call has the request ID "${requestId}". Look for it: rollcall calls list.`,
  );
}

/** Put back as a whole, and still so. */
async function isPutBack(rollcall: Rollcall, { undoneBy }: Call): Promise<boolean> {
  if (undoneBy === null) return false;
  const { data: undo } = (await rollcall.call('getCall', { path: { id: undoneBy } })).body;
  return undo.state === 'completed' && undo.failed === 0 && undo.undoneBy === null;
}
