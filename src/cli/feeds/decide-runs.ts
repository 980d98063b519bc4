import { isRollcallError, type Rollcall } from '#client';
import { safetyLimitText } from '#sheets';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { counted } from '../terminal/numbers.js';
import { canAsk, confirmOrAbort } from '../terminal/prompt.js';
import { feedOf } from './feeds.js';
import { printRun, reportRun, type WaitOption } from './follow-run.js';
import type { FeedRun } from './format-run.js';

interface DecideOptions extends WaitOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall feeds approve KEY [RUN]` */
export async function approveRun(
  key: string,
  id: string | undefined,
  options: DecideOptions,
): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const run = await openRunOf(rollcall, key, id);
  if (!options.yes && canAsk()) printRun(run);
  await confirmOrAbort('Approve this run?', options.yes);
  const approved = await rollcall.call('approveFeedRun', { path: { key, run: run.id } });
  if (!options.json) printMessage(`Approved: run ${run.id} goes on.`);
  return reportRun(rollcall, approved.body.data, options);
}

/** `rollcall feeds cancel KEY [RUN]` */
export async function cancelRun(
  key: string,
  id: string | undefined,
  { yes, json }: DecideOptions,
): Promise<void> {
  const rollcall = connectInteractive();
  const run = await openRunOf(rollcall, key, id);
  if (!yes && canAsk()) printRun(run);
  await confirmOrAbort('Cancel this run?', yes);
  const { data } = (await rollcall.call('cancelFeedRun', { path: { key, run: run.id } })).body;
  if (json) printJson(data);
  else if (data.state === 'cancelled') printMessage(`Cancelled: run ${run.id} will not change anything.`);
  else printMessage(`Run ${run.id} stops after the rows that it is writing.`);
}

/** The given run, or the one that has not ended yet. */
async function openRunOf(rollcall: Rollcall, key: string, id: string | undefined): Promise<FeedRun> {
  if (id !== undefined) return (await rollcall.call('getFeedRun', { path: { key, run: id } })).body.data;
  const { openRun } = await feedOf(rollcall, key);
  if (openRun) return openRun;
  throw new CommandProblem(
    'refused',
    `No run of ${key} waits or is under way. To list its runs: rollcall feeds runs ${key}`,
  );
}

interface UndoOptions extends DecideOptions {
  readonly dryRun?: boolean | undefined;
  readonly confirm?: number | undefined;
}

/** `rollcall feeds undo KEY RUN` */
export async function undoRun(key: string, run: string, options: UndoOptions): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const path = { key, run };
  const { confirm } = options;
  const preview = await previewOf(rollcall, path, confirm);
  if (options.dryRun || preview.calls === 0) {
    printUndo(preview, options);
    return 'done';
  }
  await confirmOrAbort(`${undoText(preview)} Undo it?`, options.yes);
  await rollcall.call('undoFeedRun', { path, query: { confirm } });
  const { data: undoing } = (await rollcall.call('getFeedRun', { path })).body;
  return reportRun(rollcall, undoing, options);
}

async function previewOf(
  rollcall: Rollcall,
  path: { readonly key: string; readonly run: string },
  confirm: number | undefined,
): Promise<Undo> {
  try {
    return (await rollcall.call('undoFeedRun', { path, query: { dryRun: true, confirm } })).body.data;
  } catch (error) {
    if (!isRollcallError(error, 'CALL_EXCEEDS_SAFETY_LIMIT') || error.data.confirm === undefined) throw error;
    const next = `To proceed, run \`rollcall feeds undo ${path.key} ${path.run} --confirm ${error.data.confirm}\`.`;
    const problem = `Could not undo the run. ${safetyLimitText(error.data)} Nothing was changed. ${next}`;
    throw new CommandProblem('refused', problem, { cause: error });
  }
}

interface Undo {
  readonly calls: number;
  readonly users: number;
  readonly changedSince: number;
}

function printUndo(undo: Undo, { json }: JsonOption): void {
  if (json) printJson(undo);
  else if (undo.calls === 0) printMessage('Nothing to undo: the run changed nothing.');
  else printMessage(`Dry run: nothing was changed. ${undoText(undo)}`);
}

function undoText({ users, changedSince }: Undo): string {
  const since =
    changedSince === 0
      ? ''
      : ` ${counted(changedSince, 'of them was', 'of them were')} changed by others since. What others changed is kept.`;
  return `The run changed ${counted(users, 'user')}.${since}`;
}
