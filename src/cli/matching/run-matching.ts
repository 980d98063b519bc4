import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { isRollcallError, type Query, type Rollcall, type Schemas } from '#client';
import { outcomeTable, printOutcomes } from '../outcome-table.js';
import { printJson, printMessage } from '../output.js';
import { isPlan, planQuery } from '../planning/options.js';
import { plannedCallOf, printPlanned } from '../planning/planned-call.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { briefRetry, connect } from '../session/connect.js';
import { count, counted } from '../terminal/numbers.js';
import { createProgress, type Progress, showWhile } from '../terminal/progress.js';
import { canAsk, confirmOrAbort } from '../terminal/prompt.js';
import { err } from '../terminal/style.js';
import { messageTable } from '../terminal/table.js';
import type { MatchingOptions } from './options.js';
import {
  asJson,
  examplesOf,
  failureRows,
  formatNothing,
  formatPreview,
  formatResult,
  previewRows,
  type Report,
  type Tally,
  tallyOf,
} from './report.js';

interface MatchingReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Schemas['MatchingUpdateReport'];
}

/** A call that changes every user who matches. */
interface MatchingCall {
  send(rollcall: Rollcall, query: Query<'updateMatching'>): Promise<MatchingReply>;
  /** Says that no user matches, and what to do. */
  readonly nobody: string;
  /** The question to ask if the call does something even though no user matches. */
  readonly questionWithoutUsers?: string | undefined;
  /** What a preview says besides the users. */
  notes?(rollcall: Rollcall): Promise<readonly string[]>;
  /** What to do once everything has succeeded. */
  readonly next?: string | undefined;
}

/** Previews the call, asks for confirmation, and sends it with the number of users that was confirmed. */
export async function runMatching(call: MatchingCall, options: MatchingOptions): Promise<CommandResult> {
  planQuery(options); // rejects wrong use before anything is sent
  const requestId = randomUUID();
  const rollcall = connect({ retry: briefRetry, requestId });
  if (options.confirm !== undefined && !options.dryRun) {
    return send({ call, rollcall, requestId, options }, options.confirm);
  }
  const { body } = await showWhile('Finding users …', call.send(rollcall, { dryRun: true }));
  const tally = tallyOf(body.data);
  const isUseful = tally.changed > 0 || (tally.matched === 0 && call.questionWithoutUsers !== undefined);
  if (options.dryRun || !isUseful) return printPreview({ call, rollcall, requestId, options }, body.data);
  if (!options.yes && canAsk()) await printExamples(rollcall, body.data);
  if (!options.json) await printNotes(call, rollcall);
  await confirmOrAbort(
    questionOf(call, tally, options),
    options.yes,
    `pass --confirm ${tally.matched}, or --yes for any number of users`,
  );
  return send({ call, rollcall, requestId, options }, tally.matched);
}

function questionOf(
  { questionWithoutUsers = '' }: MatchingCall,
  { matched, changed }: Tally,
  options: MatchingOptions,
): string {
  if (matched === 0) return questionWithoutUsers;
  const users = counted(changed, 'user');
  return isPlan(options) ? `Plan to change ${users}?` : `Change ${users}?`;
}

async function printPreview(sending: Sending, report: Report): Promise<CommandResult> {
  const { call, rollcall, options } = sending;
  const tally = tallyOf(report);
  if (options.json) printJson(asJson(null, report));
  else if (tally.matched === 0) printMessage(call.nobody);
  else if (!options.dryRun && tally.failed === 0) printMessage(formatNothing(tally));
  else {
    const rows = options.dryRun ? previewRows(report) : failureRows(report, 'would fail');
    await printOutcomes(rollcall, rows);
    printMessage(formatPreview(tally));
    await printNotes(call, rollcall);
  }
  return tally.failed > 0 ? 'someFailed' : 'done';
}

async function printExamples(rollcall: Rollcall, report: Report): Promise<void> {
  const { rows, omitted } = examplesOf(report);
  if (rows.length === 0) return;
  printMessage(messageTable(await outcomeTable(rollcall, rows)));
  if (omitted > 0) printMessage(err.dim(`And ${count(omitted)} more. To see more, use --dry-run.`));
  printMessage(formatPreview(tallyOf(report)));
}

async function printNotes(call: MatchingCall, rollcall: Rollcall): Promise<void> {
  for (const note of (await call.notes?.(rollcall)) ?? []) printMessage(note);
}

interface Sending {
  readonly call: MatchingCall;
  readonly rollcall: Rollcall;
  readonly requestId: string;
  readonly options: MatchingOptions;
}

async function send(sending: Sending, confirm: number): Promise<CommandResult> {
  const { call, rollcall, requestId, options } = sending;
  const sent = call.send(rollcall, { confirm, effects: true, ...planQuery(options) });
  const reply = await withCallProgress(sent, { rollcall, requestId, total: confirm }).catch((error) => {
    throw confirmationProblem(error, options.confirm, confirm) ?? error;
  });
  const { data: report } = reply.body;
  const callId = reply.headers.get('x-call-id');
  const tally = tallyOf(report);
  const planned = await plannedCallOf(rollcall, reply);
  if (options.json) printJson({ ...asJson(callId, report), planned: planned !== undefined });
  else if (planned) {
    await printOutcomes(rollcall, failureRows(report, 'would fail'));
    printMessage(formatPreview(tally));
    printPlanned(planned);
  } else {
    await printOutcomes(rollcall, failureRows(report));
    if (tally.matched > 0) printMessage(formatResult(tally));
    if (tally.changed > 0) printMessage(`To undo: rollcall calls undo ${callId}`);
    if (tally.failed === 0 && call.next !== undefined) printMessage(call.next);
  }
  return tally.failed > 0 ? 'someFailed' : 'done';
}

/** The number of users is not the one that was confirmed, by an option or after a preview. */
function confirmationProblem(
  error: unknown,
  given: number | undefined,
  confirmed: number,
): CommandProblem | undefined {
  if (!isRollcallError(error, 'CALL_CONFIRMATION_REQUIRED')) return undefined;
  const { confirm: matched = 0 } = error.data;
  const message =
    given === undefined
      ? `The number of users who match has changed from ${count(confirmed)} to ${count(matched)} since the preview. Nothing was changed. Run the command again.`
      : `${counted(matched, 'user matches', 'users match')}, not ${count(given)}. Nothing was changed. To see them, use --dry-run; to proceed, pass --confirm ${matched}.`;
  return new CommandProblem('refused', message, { cause: error });
}

const pollEveryMs = 500;

interface RunningCall {
  readonly rollcall: Rollcall;
  /** By which the service finds the call: its ID comes only with the response. */
  readonly requestId: string;
  readonly total: number;
}

/** Shows how far a bulk call is until it ends. */
async function withCallProgress<T>(call: Promise<T>, running: RunningCall): Promise<T> {
  const total = { count: running.total, isExact: true };
  const progress = createProgress({ doing: 'Updating', total, unit: 'users' });
  const ended = new AbortController();
  void poll(running, progress, ended.signal);
  try {
    return await call;
  } finally {
    ended.abort();
    progress.end();
  }
}

async function poll({ rollcall, requestId }: RunningCall, progress: Progress, signal: AbortSignal) {
  const query = { requestId, limit: 1 };
  try {
    for (;;) {
      await wait(pollEveryMs, undefined, { signal });
      const { body } = await rollcall.call('listCalls', { query, signal, retry: false });
      const [call] = body.data.items;
      if (call) progress.at(call.succeeded + call.failed);
    }
  } catch {
    // The call has ended, or its progress is unknown, for example without users:read.
  }
}
