import type { Dependencies } from '../state/dependencies.js';
import { rowMessages } from '../state/row-messages.js';
import { readItems } from '../state/row-reader.js';
import { isValid, type Outcome, openRows, type Rows } from '../state/rows.js';
import type { Sent } from '../state/service-calls.js';
import { estimateBytes, splitIntoCalls } from '../state/split-into-calls.js';
import type { CompletedCall, Pause, PendingCall } from '../state/state.js';
import type { BulkStore } from '../state/store.js';

/** Sends every open, valid row. */
export async function startRun(store: BulkStore, dependencies: Dependencies): Promise<void> {
  const { rows, itemsPerCall } = store.getState();
  if (!rows) return;
  const valid = openRows(rows).filter((row) => isValid(rows, row));
  const bytesOf = (row: number) => estimateBytes(rows.cells[row] ?? []);
  const pending = splitIntoCalls(valid, { itemsPerCall, bytesOf }).map((chunk) => ({
    rows: chunk,
    key: dependencies.newKey(),
    confirm: undefined,
  }));
  store.dispatch({ type: 'runPlanned', pending });
  await resumeRun(store, dependencies);
}

/** Sends one call after another until all are done, the run is stopped, or it cannot continue by itself. */
export async function resumeRun(store: BulkStore, dependencies: Dependencies): Promise<void> {
  if (store.getState().run?.state !== 'paused') return;
  store.dispatch({ type: 'runResumed' });
  for (let call = nextCall(store); call; call = nextCall(store)) {
    const pause = await sendCall(store, call, dependencies);
    if (pause) return store.dispatch({ type: 'runPaused', pause });
    const { run } = store.getState();
    if (run?.state === 'stopping' && run.pending.length > 0)
      return store.dispatch({ type: 'runPaused', pause: { why: 'stopped' } });
  }
  store.dispatch({ type: 'runEnded' });
}

function nextCall(store: BulkStore): PendingCall | undefined {
  return store.getState().run?.pending[0];
}

/** The service did nothing for the first request, and a confirmed one is a new request: it needs a new key. */
export async function confirmSafetyLimit(store: BulkStore, dependencies: Dependencies): Promise<void> {
  const { run } = store.getState();
  const call = run?.pending[0];
  if (!call || run?.pause?.why !== 'safetyLimit') return;
  const { confirm } = run.pause;
  store.dispatch({ type: 'callReplaced', call: { ...call, key: dependencies.newKey(), confirm } });
  await resumeRun(store, dependencies);
}

/** The call stopped midway. Sent again with its key, it continues there. */
const interrupted: readonly string[] = ['SERVICE_UNAVAILABLE', 'SERVICE_OUTCOME_UNKNOWN'];

async function sendCall(
  store: BulkStore,
  call: PendingCall,
  dependencies: Dependencies,
): Promise<Pause | undefined> {
  const { rows, check, kind, deliver } = store.getState();
  if (!rows || !check) throw new Error('Rows are checked before they are sent.');
  const startedAt = dependencies.now();
  const items = await readItems(check.reader, rows, call.rows);
  try {
    const { key, confirm } = call;
    const sent = await dependencies.calls.send(kind, items, { key, confirm, deliver });
    const broken = sent.reports.find((report) => !report.ok && interrupted.includes(report.error.name));
    if (broken && !broken.ok) return { why: 'interrupted', error: broken.error };
    const outcomes = outcomesOf(rows, call, sent);
    const workedMs = dependencies.now() - startedAt;
    store.dispatch({ type: 'callCompleted', call: completed(call, sent), outcomes, workedMs });
    return undefined;
  } catch (error) {
    return pauseFor(store, call, error, dependencies);
  }
}

function pauseFor(
  store: BulkStore,
  call: PendingCall,
  error: unknown,
  { classifyError, newKey }: Dependencies,
): Pause {
  const problem = classifyError(error);
  if (problem.kind === 'session') return { why: 'session' };
  if (problem.kind === 'safetyLimit') {
    const { confirm, message } = problem;
    return { why: 'safetyLimit', confirm, message };
  }
  // The key belongs to a call that was undone; sending its rows again is a new call.
  if (problem.kind === 'undone') store.dispatch({ type: 'callReplaced', call: { ...call, key: newKey() } });
  return { why: 'failed', error };
}

function outcomesOf(
  rows: Rows,
  call: PendingCall,
  { reports, callId, isPlanned }: Sent,
): [number, Outcome][] {
  const messageOf = rowMessages(rows, call.rows);
  return reports.map((report, position) => [
    call.rows[position] as number,
    !report.ok
      ? { kind: 'rejected', callId, message: messageOf(report) }
      : isPlanned
        ? { kind: 'planned', callId }
        : { kind: 'done', callId, serial: report.serial },
  ]);
}

function completed(call: PendingCall, { reports, callId, isPlanned }: Sent): CompletedCall {
  const accepted = reports.filter(({ ok }) => ok).length;
  return {
    id: callId,
    rows: call.rows,
    succeeded: isPlanned ? 0 : accepted,
    failed: reports.length - accepted,
    planned: isPlanned ? accepted : 0,
    undoneBy: undefined,
  };
}
