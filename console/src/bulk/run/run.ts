import { itemsOf } from '../check/check.js';
import type { Tools } from '../state/dependencies.js';
import { safetyLimitOf } from '../state/report.js';
import { rowMessages } from '../state/row-messages.js';
import { isFit, openRows } from '../state/rows.js';
import type { Sent } from '../state/service-calls.js';
import { bytesOfCells, cutIntoCalls } from '../state/split-into-calls.js';
import type { Wizard } from '../state/wizard.js';

/** Why a run waits for a person. */
export type Pause =
  | { readonly why: 'failed'; readonly error: unknown }
  | { readonly why: 'brokeOff'; readonly detail: string }
  | { readonly why: 'session' }
  | { readonly why: 'cancelled' }
  | { readonly why: 'braked'; readonly confirm: number; readonly sentence: string };

/** A call that is still to be sent, or was sent without an answer so far. */
export interface PendingCall {
  readonly rows: readonly number[];
  readonly key: string;
  readonly confirm: number | undefined;
}

export interface Run {
  readonly pending: PendingCall[];
  readonly all: number;
  succeeded: number;
  failed: number;
  /** The time spent in calls, without the pauses. */
  workedMs: number;
  state: 'running' | 'stopping' | 'paused' | 'ended';
  pause: Pause | undefined;
}

/** A call that was made, and can be undone. */
export interface MadeCall {
  readonly id: string;
  readonly rows: readonly number[];
  readonly succeeded: number;
  readonly failed: number;
  /** The ID of the call that undid it. */
  undoneBy: string | undefined;
}

/** Every row that is not done yet and not wrong by itself, in calls that can each be sent again without harm. */
export function planRun(wizard: Wizard, newKey: () => string): void {
  const { rows, itemsPerCall } = wizard;
  if (!rows) return;
  const fit = openRows(rows).filter((row) => isFit(rows, row));
  const bytesOf = (row: number) => bytesOfCells(rows.cells[row] ?? []);
  const pending = cutIntoCalls(fit, { itemsPerCall, bytesOf }).map((part) => ({
    rows: part,
    key: newKey(),
    confirm: undefined,
  }));
  wizard.run = {
    pending,
    all: fit.length,
    succeeded: 0,
    failed: 0,
    workedMs: 0,
    state: 'paused',
    pause: undefined,
  };
}

/** Sends one call after the other until all are done, somebody stops it, or something is in the way. */
export async function goOn(wizard: Wizard, tools: Tools): Promise<void> {
  const { run } = wizard;
  if (run?.state !== 'paused') return;
  run.state = 'running';
  run.pause = undefined;
  for (let call = run.pending[0]; call; call = run.pending[0]) {
    wizard.news.changed();
    const since = tools.now();
    const pause = await sendNext(wizard, run, call, tools);
    if (pause) return pauseRun(wizard, run, pause);
    run.workedMs += tools.now() - since;
    if (isStopping(run) && run.pending.length > 0) return pauseRun(wizard, run, { why: 'cancelled' });
  }
  run.state = 'ended';
  wizard.news.changed();
}

/** Changed by a click while a call is under way. */
function isStopping({ state }: Run): boolean {
  return state === 'stopping';
}

/** The call under way ends first: nobody could tell what became of it otherwise. */
export function stopAfterThisCall({ run, news }: Wizard): void {
  if (run?.state === 'running') run.state = 'stopping';
  news.changed();
}

/** What was not sent stays open; of what got no answer nobody can tell. */
export function endRun({ run, rows, news }: Wizard): void {
  if (!run || !rows) return;
  if (leavesOpen(run.pause)) {
    for (const row of run.pending[0]?.rows ?? []) rows.outcomes[row] = { kind: 'unknown' };
  }
  Object.assign(run, { state: 'ended', pause: undefined });
  news.tell();
}

function leavesOpen(pause: Pause | undefined): boolean {
  if (pause?.why === 'brokeOff') return true;
  return pause?.why === 'failed' && (pause.error as { outcomeUnknown?: boolean }).outcomeUnknown === true;
}

/** A number that somebody has confirmed makes another request, and nothing was done for the first: it gets a key of its own. */
export function confirmBrake({ run }: Wizard, newKey: () => string): void {
  const call = run?.pending[0];
  if (!run || !call || run.pause?.why !== 'braked') return;
  run.pending[0] = { ...call, key: newKey(), confirm: run.pause.confirm };
}

function pauseRun({ news }: Wizard, run: Run, pause: Pause): void {
  run.state = 'paused';
  run.pause = pause;
  news.changed();
}

async function sendNext(
  wizard: Wizard,
  run: Run,
  call: PendingCall,
  tools: Tools,
): Promise<Pause | undefined> {
  const { check, kind, deliver } = wizard;
  if (!check) throw new Error('a run comes after a check');
  const items = await itemsOf(check.checker, call.rows);
  try {
    const { key, confirm } = call;
    const sent = await tools.calls.send(kind, items, { key, confirm, deliver });
    const broken = sent.reports.find((report) => !report.ok && brokenOff.includes(report.error.name));
    if (broken && !broken.ok) return { why: 'brokeOff', detail: broken.reason };
    noteSent(wizard, run, call, sent);
    run.pending.shift();
    return undefined;
  } catch (error) {
    return pauseFor(run, call, error, tools);
  }
}

/** The call broke off in its middle; sent again with its key, it goes on there. */
const brokenOff: readonly string[] = ['SERVICE_UNAVAILABLE', 'SERVICE_OUTCOME_UNKNOWN'];

function pauseFor(run: Run, call: PendingCall, error: unknown, { troubleOf, newKey }: Tools): Pause {
  const trouble = troubleOf(error);
  if (trouble === 'session') return { why: 'session' };
  const brake = safetyLimitOf(error);
  if (brake) return { why: 'braked', ...brake };
  // Its key stands for a call that was taken back; what goes on from here is another one.
  if (trouble === 'undone') run.pending[0] = { ...call, key: newKey() };
  return { why: 'failed', error };
}

function noteSent(wizard: Wizard, run: Run, call: PendingCall, { reports, callId }: Sent): void {
  const { rows } = wizard;
  if (!rows) return;
  const messageOf = rowMessages(rows, call.rows);
  let failed = 0;
  for (const [position, report] of reports.entries()) {
    if (!report.ok) failed++;
    rows.outcomes[call.rows[position] as number] = report.ok
      ? { kind: 'done', callId, serial: report.serial }
      : { kind: 'refused', callId, detail: messageOf(report) };
  }
  const succeeded = reports.length - failed;
  run.succeeded += succeeded;
  run.failed += failed;
  wizard.calls.push({ id: callId, rows: call.rows, succeeded, failed, undoneBy: undefined });
}
