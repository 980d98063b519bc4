import { importNote } from '@rollcall/sheets';
import { importIdPrefix } from '../../components/undo-calls.js';
import { mapInSlices, nextTask } from '../../components/yield-to-browser.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import { changeOf } from '../state/changes.js';
import type { Dependencies } from '../state/dependencies.js';
import { namesLearned } from '../state/names.js';
import { rowMessages } from '../state/row-messages.js';
import { readItems } from '../state/row-reader.js';
import { type Outcome, openRows, type Rows } from '../state/rows.js';
import type { Sent } from '../state/service-calls.js';
import { labelCharactersMax } from '../state/source.js';
import { estimateBytes, sendingOrder, splitIntoCalls } from '../state/split-into-calls.js';
import {
  type CompletedCall,
  type ImportState,
  isRunning,
  type Pause,
  type PendingCall,
} from '../state/state.js';
import type { ImportStore } from '../state/store.js';
import { invalidRows, isSent } from '../state/verdicts.js';

/** Sends every open row that changes something. */
export async function startRun(
  store: ImportStore,
  dependencies: Dependencies,
  /** How many the confirmed dialog named. */
  users?: number,
): Promise<void> {
  const { rows, check, itemsPerCall } = store.getState();
  if (!rows) return;
  const toSend = rowsToSend(store.getState());
  const bytesOf = (row: number) => estimateBytes(rows.cells[row] ?? []);
  const pending = splitIntoCalls(toSend, { itemsPerCall, bytesOf }).map((chunk) => ({
    rows: chunk,
    key: dependencies.newKey(),
    confirm: undefined,
  }));
  const parts = check?.chunks.length ?? 0;
  const leftOut = invalidRows(rows).filter((row) => !isSent(rows, row, parts)).length;
  await nextTask(); // to leave the table of all rows is enough for one task
  await rememberNames(store, dependencies);
  const now = store.getState();
  if (!now.rows || isRunning(now)) return; // its user has signed out, or clicked twice
  const importId = now.importId ?? importIdPrefix + dependencies.newKey();
  store.dispatch({ type: 'runPlanned', pending, leftOut, users, importId });
  await resumeRun(store, dependencies);
}

/** The import can do without: whoever has the next file is asked again. */
async function rememberNames(store: ImportStore, { calls }: Dependencies): Promise<void> {
  const { names } = store.getState();
  for (const kind of ['organizations', 'tags'] as const) {
    const remembered = namesLearned(names, kind);
    if (remembered.length > 0) await calls.rememberNames(kind, remembered).catch(() => {});
  }
}

export function rowsToSend({ rows, check }: Pick<ImportState, 'rows' | 'check'>): readonly number[] {
  const parts = check?.chunks.length ?? 0;
  if (!rows) return [];
  const sent = openRows(rows).filter((row) => isSent(rows, row, parts));
  return sendingOrder(rows, sent, check?.reader, check?.survey);
}

/** Sends one call after another until all are done, the run is stopped, or it cannot continue by itself. */
export async function resumeRun(store: ImportStore, dependencies: Dependencies): Promise<void> {
  if (store.getState().run?.state !== 'paused') return;
  store.dispatch({ type: 'runResumed' });
  for (let call = nextCall(store); call; call = nextCall(store)) {
    const pause = await sendCall(store, call, dependencies);
    const { run } = store.getState();
    if (!run) return; // its user has signed out
    if (pause) {
      store.dispatch({ type: 'runPaused', pause });
      return dependencies.announce(importCopy.run.announcePaused);
    }
    if (run.state === 'stopping' && run.pending.length > 0)
      return store.dispatch({ type: 'runPaused', pause: { why: 'stopped' } });
  }
  store.dispatch({ type: 'runEnded' });
  dependencies.announce(importCopy.run.announceDone(store.getState().source?.name ?? ''));
}

function nextCall(store: ImportStore): PendingCall | undefined {
  return store.getState().run?.pending[0];
}

/** The service did nothing for the first request, and a confirmed one is a new request: it needs a new key. */
export async function confirmSafetyLimit(store: ImportStore, dependencies: Dependencies): Promise<void> {
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
  store: ImportStore,
  call: PendingCall,
  dependencies: Dependencies,
): Promise<Pause | undefined> {
  const { rows, check, deliver, timing, note, source, run, importId = '' } = store.getState();
  if (!rows || !check) throw new Error('Rows are checked before they are sent.');
  const startedAt = dependencies.now();
  const items = await readItems(check.reader, rows, call.rows);
  if (!store.getState().run) return undefined;
  try {
    const { key, confirm } = call;
    const label = {
      source: source?.name ?? '',
      note: importNote(note, run?.leftOut ?? 0, labelCharactersMax),
    };
    const options = { key, confirm, deliver, timing, requestId: importId, ...label };
    const sent = await dependencies.calls.send(items, options);
    const broken = sent.reports.find((report) => !report.ok && interrupted.includes(report.error.name));
    if (broken && !broken.ok) return { why: 'interrupted', error: broken.error };
    await nextTask(); // the response has just been parsed
    const outcomes = await outcomesOf(rows, call, sent);
    const workedMs = dependencies.now() - startedAt;
    store.dispatch({
      type: 'callCompleted',
      call: completed(call, sent, { timing, deliver }),
      outcomes,
      workedMs,
    });
    return undefined;
  } catch (error) {
    return pauseFor(store, call, error, dependencies);
  }
}

function pauseFor(
  store: ImportStore,
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
  { reports, isPlanned }: Sent,
): Promise<(readonly [number, Outcome])[]> {
  const messageOf = rowMessages(rows, call.rows);
  return mapInSlices(reports, (report, position): readonly [number, Outcome] => {
    const row = call.rows[position] as number;
    if (!report.ok) return [row, { kind: 'rejected', message: messageOf(report) }];
    const change = report.effect ? changeOf(report.effect) : 'unchanged';
    return [row, { kind: isPlanned ? 'planned' : 'done', change }];
  });
}

function completed(
  call: PendingCall,
  { reports, callId, isPlanned }: Sent,
  options: Pick<CompletedCall, 'timing' | 'deliver'>,
): CompletedCall {
  const accepted = reports.filter(({ ok }) => ok).length;
  return {
    id: callId,
    rows: call.rows,
    succeeded: isPlanned ? 0 : accepted,
    failed: reports.length - accepted,
    planned: isPlanned ? accepted : 0,
    ...options,
    undoneBy: undefined,
  };
}
