import type { Schemas } from '#client';
import { feedRowKinds } from '../../contract/enums.js';
import { type Mode, outcomeText } from '../outcome-text.js';
import type { ListShape } from '../output.js';
import type { Exit } from '../problem.js';
import { formatTime } from '../terminal/format-time.js';
import { count, counted } from '../terminal/numbers.js';
import { err, out } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';

export type FeedRun = Schemas['FeedRun'];

const underWay: readonly FeedRun['state'][] = ['queued', 'running', 'undoing'];

export function isUnderWay({ state }: FeedRun): boolean {
  return underWay.includes(state);
}

/** Of a run that has written nothing, the counts say what it would do. */
export function modeOf({ isDryRun, state, phase }: FeedRun): Mode {
  return isDryRun || (state !== 'done' && phase !== 'apply') ? 'plan' : 'run';
}

/** How many users a run has changed, or may still change. */
export function changesOf(run: FeedRun): number {
  if (modeOf(run) === 'plan' && !run.isDryRun && run.state !== 'waiting' && !isUnderWay(run)) return 0;
  const { created, rehired, updated, renamed, deactivated, reactivated } = run.counts;
  return created + rehired + updated + renamed + deactivated + reactivated;
}

export function exitOf({ state, counts }: FeedRun): Exit {
  if (state === 'undone' || state === 'unchanged') return 'done';
  if (state === 'done') return counts.failed > 0 ? 'someFailed' : 'done';
  return 'refused';
}

const stateTexts: Partial<Record<FeedRun['state'], string>> = {
  waiting: 'waits for approval',
  superseded: 'replaced by a newer run',
  undoing: 'is being undone',
  unchanged: 'no new file',
};

/** "done", "waits for approval", "done (dry run)" */
export function formatState({ state, isDryRun }: Pick<FeedRun, 'state' | 'isDryRun'>): string {
  return `${stateTexts[state] ?? state}${isDryRun ? ' (dry run)' : ''}`;
}

const triggers: Readonly<Record<FeedRun['trigger'], string>> = {
  schedule: 'schedule',
  newFile: 'new file',
  upload: 'upload',
  request: 'request',
};

export const runList: ListShape<FeedRun> = {
  headings: ['ID', 'STARTED', 'STATE', 'TRIGGER', 'ROWS', 'CHANGES', 'FAILED', 'FILE'],
  row: (run) => [
    run.id,
    formatTime(run.startedAt ?? run.createdAt),
    formatState(run),
    triggers[run.trigger],
    run.rows === null ? '' : count(run.rows),
    count(changesOf(run)),
    count(run.counts.failed),
    run.fileName ?? '',
  ],
  empty: 'No runs yet. To start one, see rollcall feeds run --help.',
};

/** The counts that are not 0, one per line. Those of a run that has not begun to write are from before its approval. */
export function countLines(run: FeedRun): string[] {
  if (run.state === 'undone' || (isUnderWay(run) && run.phase !== 'apply')) return [];
  const shown = feedRowKinds.filter((kind) => run.counts[kind] > 0);
  const width = Math.max(...shown.map((kind) => count(run.counts[kind]).length));
  return shown.map((kind) => {
    const line = `  ${outcomeText(kind, modeOf(run)).padEnd(11)}  ${count(run.counts[kind]).padStart(width)}`;
    return kind === 'failed' ? out.red(line) : line;
  });
}

/** Why a run stopped, waits or failed. */
export function reasonLines({ findings, problem }: FeedRun): string[] {
  return [
    ...(problem ? [`${err.red('✗')} ${sanitize(problem.text)}`] : []),
    ...findings.map(({ text }) => `${err.yellow('!')} ${sanitize(text)}`),
  ];
}

/** How a run ended, and what to do next. */
export function nextSteps(run: FeedRun): string[] {
  const { feed, id, state, isDryRun, trigger, counts, rows } = run;
  const command = (name: string) => `rollcall feeds ${name} ${feed} ${id}`;
  const seeRows = `To see them: ${command('rows')}${counts.failed > 0 ? ' --kind failed' : ''}`;
  if (isDryRun && state === 'done') {
    return [`Dry run: nothing was changed. This is the plan for ${counted(rows ?? 0, 'row')}.`];
  }
  switch (state) {
    case 'done':
      return [
        changesOf(run) + counts.planned === 0 && counts.failed === 0
          ? 'All users are up to date. Nothing was changed.'
          : `${counted(rows ?? 0, 'row')} done.`,
        ...(counts.failed > 0 ? [`${counted(counts.failed, 'row')} failed. ${seeRows}`] : []),
        ...(changesOf(run) > 0 ? [`To undo: ${command('undo')}`] : []),
      ];
    case 'waiting':
      return [
        'The run waits for approval. Nothing was changed.',
        `To see what it would do: ${command('rows')}`,
        `If it is right: ${command('approve')}`,
        `If not: ${command('cancel')}`,
      ];
    case 'stopped':
      return [
        'The run stopped before it changed anything. Correct the file, or raise the limit of the feed, and run it again.',
        `To see what it would have done: ${command('rows')}`,
      ];
    case 'failed':
      return [
        changesOf(run) > 0
          ? `The run failed after it had changed ${counted(changesOf(run), 'user')}. To undo: ${command('undo')}`
          : 'The run failed. Nothing was changed.',
        `Once the cause is removed: rollcall feeds ${trigger === 'upload' ? `upload ${feed} FILE` : `run ${feed}`}`,
      ];
    case 'cancelled':
      return [
        changesOf(run) > 0
          ? `The run was cancelled after it had changed ${counted(changesOf(run), 'user')}. To undo: ${command('undo')}`
          : 'The run was cancelled. Nothing was changed.',
      ];
    case 'superseded':
      return ['The run was replaced by a newer one. Nothing was changed.'];
    case 'unchanged':
      return ['There is no new file. Nothing was changed.'];
    case 'undone':
      return ['The run was undone.'];
    default:
      return [`To follow the run: rollcall feeds show ${feed}`, `To stop it: ${command('cancel')}`];
  }
}
