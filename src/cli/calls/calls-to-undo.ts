import type { Rollcall } from '#client';
import { CommandProblem } from '../problem.js';
import type { Call } from './format-call.js';

/** Newest first: later changes of a value have to be reverted before earlier ones. */
export async function callsToUndo(
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
