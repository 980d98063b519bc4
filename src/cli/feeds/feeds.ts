import type { Rollcall } from '#client';
import { type JsonOption, print, printJson, printMessage, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { count, counted } from '../terminal/numbers.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { sparkline } from '../terminal/sparkline.js';
import { err } from '../terminal/style.js';
import { table } from '../terminal/table.js';
import { printRun } from './follow-run.js';
import { formatState } from './format-run.js';
import {
  type Feed,
  formatAppliedLimits,
  formatInform,
  formatLimits,
  formatMapping,
  formatRules,
  formatSchedule,
  formatSource,
} from './format-settings.js';

/** `rollcall feeds list` */
export async function listFeeds({ json }: JsonOption): Promise<void> {
  const { items } = (await connectInteractive().call('listFeeds')).body.data;
  if (json) {
    printJson(items);
    return;
  }
  if (items.length === 0) {
    printMessage('There are no feeds yet. To create some from a file: rollcall feeds apply --help');
    return;
  }
  print(table([['KEY', 'NAME', 'STATE', 'LAST RUN', 'NEXT RUN', 'USERS', 'CHANGES'], ...items.map(listed)]));
  printMessage(err.dim(`${counted(items.length, 'feed')}.`));
}

function listed(feed: Feed): string[] {
  const { key, name, lastRun, nextRunAt, users } = feed;
  return [
    ...[key, name, stateOf(feed)],
    formatTime(lastRun?.createdAt ?? null),
    formatTime(nextRunAt),
    count(users),
    changesLine(feed),
  ];
}

/** What matters most: an open run, then a pause, then how the last run ended. */
function stateOf({ openRun, isPaused, lastRun }: Feed): string {
  if (openRun) return formatState(openRun);
  if (isPaused) return 'paused';
  return lastRun ? formatState(lastRun) : 'no runs';
}

/** `rollcall feeds show KEY` */
export async function showFeed(key: string, options: JsonOption): Promise<void> {
  const feed = await feedOf(connectInteractive(), key);
  printRecord(feed, options, formatFeed);
  if (options.json) return;
  const run = feed.openRun ?? feed.lastRun;
  if (!run) return;
  printMessage(`\n${feed.openRun ? 'Open' : 'Last'} run ${run.id}, ${formatState(run)}:`);
  printRun(run);
}

function formatFeed(feed: Feed): [name: string, value: string][] {
  return [
    ['key', feed.key],
    ['name', feed.name],
    ['state', stateOf(feed)],
    ['source', formatSource(feed.source)],
    ['secret', feed.hasSecret ? 'set' : 'none'],
    ['schedule', formatSchedule(feed.schedule)],
    ['next run', formatTime(feed.nextRunAt)],
    ...lines('mapping', formatMapping(feed.mapping)),
    ...lines('rules', formatRules(feed.rules)),
    ...lines('limits', [
      formatLimits(feed.limits),
      ...formatAppliedLimits((feed.openRun ?? feed.lastRun)?.limits),
    ]),
    ['informs', formatInform(feed.inform)],
    ['users', count(feed.users)],
    ...lines('changes', feed.recentRuns.length > 0 ? [changesLine(feed)] : []),
    ['version', String(feed.version)],
    ['updated', formatTime(feed.updatedAt)],
  ];
}

/** Values below each other, of which only the first has the name. */
function lines(name: string, values: readonly string[]): [name: string, value: string][] {
  return values.map((value, at) => [at === 0 ? name : '', value]);
}

/** Their changes were not made, or not kept. */
const withoutEffect: ReadonlySet<string> = new Set(['cancelled', 'superseded', 'undone']);

function changesLine({ recentRuns }: Feed): string {
  const runs = recentRuns.filter(({ state }) => !withoutEffect.has(state));
  return sparkline(runs.map(({ changes }) => changes));
}

/** `rollcall feeds pause KEY` */
export function pauseFeed(key: string, options: JsonOption): Promise<void> {
  return setPaused(key, true, options);
}

/** `rollcall feeds resume KEY` */
export function resumeFeed(key: string, options: JsonOption): Promise<void> {
  return setPaused(key, false, options);
}

async function setPaused(key: string, isPaused: boolean, { json }: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('updateFeed', { path: { key }, body: { isPaused } });
  if (json) printJson(body.data);
  else if (isPaused) printMessage(`Paused ${key}. It runs only when it is told to.`);
  else printMessage(`Resumed ${key}. ${nextRunText(body.data)}`);
}

function nextRunText({ nextRunAt }: Feed): string {
  return nextRunAt === null ? 'It has no schedule.' : `Next run: ${formatTime(nextRunAt)}.`;
}

interface DeleteOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall feeds delete KEY` */
export async function deleteFeed(key: string, { yes, json }: DeleteOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { name, users } = await feedOf(rollcall, key);
  await confirmOrAbort(
    `Delete the feed "${name}" with its settings, runs and stored files? Its ${counted(users, 'user')} stay.`,
    yes,
  );
  const { body } = await rollcall.call('deleteFeed', { path: { key } });
  if (json) printJson(body.data);
  else printMessage(`Deleted ${key}. Its users stay as they are.`);
}

export async function feedOf(rollcall: Rollcall, key: string): Promise<Feed> {
  return (await rollcall.call('getFeed', { path: { key } })).body.data;
}
