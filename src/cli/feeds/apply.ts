import { type RequestBody, type Rollcall, RollcallError } from '#client';
import { contentOf, invalidFile } from '../described-list.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { count, counted } from '../terminal/numbers.js';
import { confirmOrAbort } from '../terminal/prompt.js';
import { out } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';
import { type FeedPlan, type FeedStep, formatValue, planFeeds, type SettingChange } from './plan.js';
import { readFeedFile } from './read-file.js';
import { readSecrets } from './read-secrets.js';

interface ApplyOptions extends JsonOption {
  readonly dryRun?: boolean | undefined;
  readonly prune?: boolean | undefined;
  readonly secrets?: boolean | undefined;
  readonly yes?: boolean | undefined;
}

/** `rollcall feeds apply FILE` */
export async function applyFeeds(file: string, options: ApplyOptions): Promise<void> {
  const { dryRun = false, secrets = false, yes, json } = options;
  const name = file === '-' ? 'stdin' : file;
  const read = readFeedFile(await contentOf(file));
  if (!read.ok) throw invalidFile(name, read.problems);
  const rollcall = connectInteractive();
  const { items } = (await rollcall.call('listFeeds')).body.data;
  const plan = planFeeds(read.entries, items, { secrets });
  if ('problems' in plan) throw invalidFile(name, plan.problems);
  const pruned = options.prune ? plan.notInFile : [];
  if (!json) printPlan(plan, pruned);
  if (!dryRun) {
    if (pruned.length > 0) {
      const feeds = counted(pruned.length, 'feed');
      await confirmOrAbort(`Delete ${feeds} with settings, runs and stored files? Users stay.`, yes);
    }
    await applyPlan(rollcall, name, plan);
    for (const key of pruned) await prune(rollcall, key);
  }
  if (json) printJson(asJson(plan, pruned, dryRun));
  else printMessage(summary(plan, pruned, dryRun));
}

/** One feed after the other, in the order of the file. */
async function applyPlan(rollcall: Rollcall, name: string, { steps }: FeedPlan): Promise<void> {
  const secrets = readSecrets(steps);
  if ('problems' in secrets) throw invalidFile(name, secrets.problems);
  for (const [done, step] of steps.entries()) {
    const { key, line } = step.described;
    try {
      await applyStep(rollcall, step, secrets.get(key) ?? {});
    } catch (error) {
      if (!(error instanceof RollcallError) || error.status >= 500) throw error;
      const before =
        done === 0
          ? 'Nothing was changed.'
          : `${counted(done, 'feed')} before it in the file ${done === 1 ? 'was' : 'were'} applied.`;
      const message = `${name}:${line}: Could not ${step.kind} ${key}: ${sanitize(error.detail)} ${before}`;
      throw new CommandProblem('refused', message, { cause: error });
    }
  }
}

async function prune(rollcall: Rollcall, key: string): Promise<void> {
  try {
    await rollcall.call('deleteFeed', { path: { key } });
  } catch (error) {
    if (!(error instanceof RollcallError) || error.status >= 500) throw error;
    const done = 'What the file describes was applied.';
    throw new CommandProblem('refused', `Could not delete ${key}: ${sanitize(error.detail)} ${done}`, {
      cause: error,
    });
  }
}

async function applyStep(rollcall: Rollcall, step: FeedStep, secrets: object): Promise<void> {
  const { key, settings } = step.described;
  const body = { ...Object.fromEntries(step.settings.map((name) => [name, settings.get(name)])), ...secrets };
  if (step.kind === 'change') await rollcall.call('updateFeed', { path: { key }, body });
  // The plan has checked that what a new feed needs is there.
  else await rollcall.call('createFeed', { body: { ...body, key } as RequestBody<'createFeed'> });
}

function printPlan({ steps }: FeedPlan, pruned: readonly string[]): void {
  for (const { kind, described, changes } of steps) {
    print(`${kind === 'create' ? out.green('+') : out.yellow('~')} ${described.key}`);
    for (const change of changes) print(`    ${sanitize(changeText(kind, change))}`);
  }
  for (const key of pruned) print(`${out.red('-')} ${key}`);
}

/** "rules.rehire: none → true", "secret: set" */
function changeText(kind: FeedStep['kind'], { name, before, after }: SettingChange): string {
  const isAdded = kind === 'create' || after === 'set';
  return `${name}: ${isAdded ? '' : `${formatValue(before)} → `}${formatValue(after)}`;
}

function summary(
  { steps, unchanged, notInFile }: FeedPlan,
  pruned: readonly string[],
  dryRun: boolean,
): string {
  const others = notInFile.length - pruned.length;
  const rest =
    others === 0
      ? ''
      : ` ${counted(others, 'feed is', 'feeds are')} not in the file and ${others === 1 ? 'stays as it is' : 'stay as they are'}.`;
  if (steps.length + pruned.length === 0) {
    return `Nothing to do: ${counted(unchanged, 'feed is', 'feeds are')} up to date.${rest}`;
  }
  const created = steps.filter(({ kind }) => kind === 'create').length;
  const verbs = dryRun ? ['to create', 'to change', 'to delete'] : ['created', 'changed', 'deleted'];
  const counts = [created, steps.length - created, pruned.length].map(
    (number, at) => `${count(number)} ${verbs[at]}`,
  );
  const shown = pruned.length > 0 ? counts : counts.slice(0, 2);
  return `${dryRun ? 'Dry run: nothing was changed. ' : ''}${shown.join(', ')}, ${count(unchanged)} up to date.${rest}`;
}

function asJson({ steps, unchanged, notInFile }: FeedPlan, deleted: readonly string[], dryRun: boolean) {
  return {
    dryRun,
    created: steps.flatMap(({ kind, described }) => (kind === 'create' ? [described.key] : [])),
    changed: steps.flatMap(({ kind, described, changes }) =>
      kind === 'change' ? [{ key: described.key, settings: changes }] : [],
    ),
    deleted,
    unchanged,
    notInFile: notInFile.filter((key) => !deleted.includes(key)),
  };
}
