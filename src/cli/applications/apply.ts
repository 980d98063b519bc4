import { type RequestBody, type Rollcall, RollcallError } from '#client';
import { createApplicationFields, patchApplicationFields } from '../../contract/applications.js';
import { contentOf, type DescribedEntry, invalidFile, readDescribedList } from '../described-list.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { out } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';
import type { Application } from './applications.js';

type Setting = Exclude<keyof typeof createApplicationFields | keyof typeof patchApplicationFields, 'name'>;
type Described = DescribedEntry<Setting>;

interface ApplyOptions extends JsonOption {
  readonly dryRun?: boolean | undefined;
}

interface Step {
  readonly described: Described;
  /** Undefined if the application is new. */
  readonly known: Application | undefined;
  readonly changed: readonly Setting[];
}

interface Applied {
  readonly name: string;
  readonly kind: 'created' | 'changed';
  readonly id?: string;
  readonly secret?: string | null;
}

/** `rollcall applications apply FILE` */
export async function applyApplications(file: string, { dryRun = false, json }: ApplyOptions): Promise<void> {
  const shown = file === '-' ? 'stdin' : file;
  const read = readDescribedList<Setting>(await contentOf(file), {
    ...{ name: 'applications', keyName: 'name', command: 'rollcall applications apply' },
    entryRule: 'An application must be an object with a name and redirectUris.',
    uses: { ...createApplicationFields, ...patchApplicationFields },
  });
  if (!read.ok) throw invalidFile(shown, read.problems);
  const rollcall = connectInteractive();
  const known: Application[] = [];
  for await (const each of rollcall.each('listApplications', {})) known.push(each);
  const steps = read.entries.map((described) => stepFor(described, known)).filter(hasWork);
  const applied: Applied[] = [];
  const unchanged = read.entries.length - steps.length;
  try {
    for (const step of steps) {
      if (!json) print(lineOf(step));
      if (!dryRun) applied.push(await applyStep(rollcall, shown, step));
    }
  } finally {
    // Also if a later application is refused: nothing else shows the secrets of those before it.
    if (json) printJson({ dryRun, applied, unchanged });
    else report(applied, { dryRun, unchanged });
  }
}

function stepFor(described: Described, all: readonly Application[]): Step {
  const known = all.find(({ name }) => name.toLowerCase() === described.key.toLowerCase());
  const settings = [...described.settings];
  const changed = settings.filter(
    ([name, value]) => !known || (value !== null && JSON.stringify(value) !== JSON.stringify(known[name])),
  );
  return { described, known, changed: changed.map(([name]) => name) };
}

function hasWork({ known, changed }: Step): boolean {
  return known === undefined || changed.length > 0;
}

function lineOf({ described: { key, settings }, known, changed }: Step): string {
  const details = changed.map((name) => `${name}: ${JSON.stringify(settings.get(name))}`).join('; ');
  return `${known ? out.yellow('~') : out.green('+')} ${sanitize(`${key}  ${details}`)}`;
}

async function applyStep(rollcall: Rollcall, file: string, step: Step): Promise<Applied> {
  const { described, known, changed } = step;
  const { key: name, settings, line } = described;
  try {
    if (known) {
      const { isPublic, ...body } = Object.fromEntries(changed.map((each) => [each, settings.get(each)]));
      if (isPublic !== undefined) throw cannotChange(file, line);
      await rollcall.call('updateApplication', { path: { id: known.id }, body });
      return { name, kind: 'changed' };
    }
    const { isActive, ...others } = Object.fromEntries(settings);
    const body = { ...others, name } as RequestBody<'createApplication'>; // checked when the file was read
    const { id, secret } = (await rollcall.call('createApplication', { body })).body.data;
    if (isActive === false) await rollcall.call('updateApplication', { path: { id }, body: { isActive } });
    return { name, kind: 'created', id, secret };
  } catch (error) {
    if (!(error instanceof RollcallError) || error.status >= 500) throw error;
    throw new CommandProblem('refused', `${file}:${line}: ${sanitize(error.detail)}`, { cause: error });
  }
}

function cannotChange(file: string, line: number): CommandProblem {
  return new CommandProblem(
    'wrongUse',
    `${file}:${line}: "isPublic" cannot be changed. Delete the application, or give the new one another name.`,
  );
}

function report(
  applied: readonly Applied[],
  { dryRun, unchanged }: { dryRun: boolean; unchanged: number },
): void {
  for (const { name, id, secret } of applied) {
    if (id !== undefined) print(sanitize(`${name}: client ID ${id}${secret ? `, secret ${secret}` : ''}`));
  }
  const done = `${applied.length} applied, ${unchanged} unchanged.`;
  printMessage(dryRun ? 'Dry run: nothing was changed.' : done);
}
