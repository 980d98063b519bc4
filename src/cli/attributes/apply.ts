import { type RequestBody, type Rollcall, RollcallError } from '#client';
import { contentOf, invalidFile } from '../described-list.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { count, counted } from '../terminal/numbers.js';
import { out } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';
import { type AttributePlan, type AttributeStep, planAttributes } from './plan.js';
import { readAttributeFile } from './read-file.js';
import { formatSetting } from './settings.js';

interface ApplyOptions extends JsonOption {
  readonly dryRun?: boolean | undefined;
}

/** `rollcall attributes apply FILE` */
export async function applyAttributes(file: string, { dryRun = false, json }: ApplyOptions): Promise<void> {
  const name = file === '-' ? 'stdin' : file;
  const read = readAttributeFile(await contentOf(file));
  if (!read.ok) throw invalidFile(name, read.problems);
  const rollcall = connectInteractive();
  const { items } = (await rollcall.call('listAttributes')).body.data;
  const plan = planAttributes(read.attributes, items);
  if ('problems' in plan) throw invalidFile(name, plan.problems);
  if (!json) printPlan(plan);
  if (!dryRun) await applyPlan(rollcall, name, plan);
  if (json) printJson(asJson(plan, dryRun));
  else printMessage(summary(plan, dryRun));
}

/** One attribute after the other, in the order of the file. */
async function applyPlan(rollcall: Rollcall, name: string, { steps }: AttributePlan): Promise<void> {
  for (const [done, step] of steps.entries()) {
    try {
      await applyStep(rollcall, step);
    } catch (error) {
      if (!(error instanceof RollcallError) || error.status >= 500) throw error;
      const { key, line } = step.described;
      const before =
        done === 0
          ? 'Nothing was changed.'
          : `${counted(done, 'attribute')} before it in the file ${done === 1 ? 'was' : 'were'} applied.`;
      const message = `${name}:${line}: Could not ${step.kind} ${key}: ${sanitize(error.detail)} ${before}`;
      throw new CommandProblem('refused', message, { cause: error });
    }
  }
}

/** A new attribute cannot be retired at once. */
async function applyStep(rollcall: Rollcall, step: AttributeStep): Promise<void> {
  const { key, settings } = step.described;
  if (step.kind === 'change') {
    const body = Object.fromEntries(step.changes.map(({ name, after }) => [name, resetFlag(name, after)]));
    await rollcall.call('updateAttribute', { path: { key }, body });
    return;
  }
  const { isRetired, ...others } = Object.fromEntries(settings);
  const body = { ...others, key, type: step.type } as RequestBody<'createAttribute'>; // checked when the file was read
  await rollcall.call('createAttribute', { body });
  if (isRetired) await rollcall.call('updateAttribute', { path: { key }, body: { isRetired: true } });
}

/** Whether an attribute is retired has no default. */
function resetFlag(name: string, value: unknown): unknown {
  return name === 'isRetired' ? value === true : value;
}

function printPlan({ steps }: AttributePlan): void {
  const width = Math.max(0, ...steps.map(({ described: { key } }) => key.length));
  for (const step of steps) {
    const key = step.described.key.padEnd(width);
    const mark = step.kind === 'create' ? out.green('+') : out.yellow('~');
    print(sanitizedLine(mark, `${key}  ${detailsOf(step)}`));
  }
}

function sanitizedLine(mark: string, text: string): string {
  return `${mark} ${sanitize(text)}`.trimEnd();
}

/** "text, isFilterable: true", "choices: Berlin → Berlin, Lyon" */
function detailsOf(step: AttributeStep): string {
  if (step.kind === 'change') {
    return step.changes
      .map(({ name, before, after }) => `${name}: ${formatSetting(before)} → ${formatSetting(after)}`)
      .join('; ');
  }
  const settings = [...step.described.settings].filter(([, value]) => value !== null && value !== false);
  return [step.type, ...settings.map(([name, value]) => `${name}: ${formatSetting(value)}`)].join('; ');
}

function summary({ steps, unchanged, notInFile }: AttributePlan, dryRun: boolean): string {
  const created = steps.filter(({ kind }) => kind === 'create').length;
  const changed = steps.length - created;
  const done = dryRun ? ['to create', 'to change'] : ['created', 'changed'];
  const counts = `${count(created)} ${done[0]}, ${count(changed)} ${done[1]}, ${count(unchanged)} up to date.`;
  const others = notInFile.length === 1 ? 'attribute is' : 'attributes are';
  const rest =
    notInFile.length === 0
      ? ''
      : ` ${count(notInFile.length)} ${others} not in the file and ${notInFile.length === 1 ? 'stays' : 'stay'} as ${notInFile.length === 1 ? 'it is' : 'they are'}.`;
  return `${dryRun ? 'Dry run: nothing was changed. ' : ''}${counts}${rest}`;
}

function asJson({ steps, unchanged, notInFile }: AttributePlan, dryRun: boolean) {
  return {
    dryRun,
    created: steps.flatMap((step) => (step.kind === 'create' ? [step.described.key] : [])),
    changed: steps.flatMap((step) =>
      step.kind === 'change' ? [{ key: step.described.key, settings: step.changes }] : [],
    ),
    unchanged,
    notInFile,
  };
}
