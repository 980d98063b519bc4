import { existsSync, writeFileSync } from 'node:fs';
import { type Rollcall, rememberNames, resolveNames } from '#client';
import { entryFields, groupNames, type NameCollector } from '#sheets';
import { pathOf } from '../../host.js';
import { printMessage } from '../../output.js';
import { CommandProblem } from '../../problem.js';
import { err } from '../../terminal/style.js';
import { withFileErrors } from '../../with-file-errors.js';
import { decideNames, type FieldNames, type FileNames } from './decide-names.js';
import type { GivenDecision, NameOptions } from './given-decisions.js';
import { namesNotes, namesTemplate, undecidedText } from './names-text.js';

const directories = { organizationSerial: 'organizations', tagSerials: 'tags' } as const;

interface NamesRequest {
  readonly file: string;
  readonly given: readonly GivenDecision[];
  readonly options: NameOptions;
  readonly signal: AbortSignal;
}

/** What the names in the file mean. Stops before anything is done if that has to be decided. */
export async function resolveFileNames(
  rollcall: Rollcall,
  written: NameCollector,
  { file, given, options, signal }: NamesRequest,
): Promise<FileNames> {
  const names = decideNames(await askService(rollcall, written, given, signal), options.unknown);
  if (names.undecided.length > 0) {
    const { names: path } = options;
    const isWritten = path !== undefined && !existsSync(pathOf(path));
    if (isWritten) writeNames(path, namesTemplate(names.undecided));
    throw new CommandProblem('refused', undecidedText(names.undecided, file, { option: path, isWritten }));
  }
  for (const note of namesNotes(names)) printMessage(err.dim(note));
  return names;
}

/** About the names in the file, those in the decisions, and the entries that these use. */
async function askService(
  rollcall: Rollcall,
  written: NameCollector,
  given: readonly GivenDecision[],
  signal: AbortSignal,
): Promise<FieldNames[]> {
  const facts: FieldNames[] = [];
  for (const field of entryFields) {
    const names = written.names(field);
    const own = given.filter((each) => each.field === field);
    const asked = [...names, ...own].map(({ name }) => name);
    const entries = own.flatMap(({ entry }) => entry ?? []);
    const answer = await resolveNames(rollcall, directories[field], [...asked, ...entries], { signal });
    const byName = new Map(answer.items.map((item) => [item.name, item]));
    const groups = groupNames(field, names, answer.items);
    facts.push({ field, groups, given: own, byName, mayCreate: answer.mayCreate });
  }
  return facts;
}

function writeNames(path: string, text: string): void {
  withFileErrors(
    () => writeFileSync(pathOf(path), text, { mode: 0o600 }),
    (error) => {
      const { code } = error as NodeJS.ErrnoException;
      return new CommandProblem('wrongUse', `Cannot write the names to ${path} (${code}).`, { cause: error });
    },
  );
}

export async function rememberFileNames(
  rollcall: Rollcall,
  { toRemember }: FileNames,
  signal: AbortSignal,
): Promise<void> {
  for (const field of entryFields) {
    await rememberNames(rollcall, directories[field], toRemember[field], { signal });
  }
}
