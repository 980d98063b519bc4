import { writeFileSync } from 'node:fs';
import { type SerialOption, serialOf } from '../find-user.js';
import { pathOf } from '../host.js';
import { print, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { withFileErrors } from '../with-file-errors.js';

interface ExportDataOptions extends SerialOption {
  readonly output?: string | undefined;
}

/** `rollcall users export-data ID` */
export async function exportData(id: string, { output, ...options }: ExportDataOptions): Promise<void> {
  const rollcall = connectInteractive();
  const serial = await serialOf(rollcall, id, options);
  const { body } = await rollcall.call('getPersonalData', { path: { serial } });
  const text = JSON.stringify(body.data, null, 2);
  if (output === undefined) print(text);
  else {
    withFileErrors(
      () => writeFileSync(pathOf(output), `${text}\n`, { mode: 0o600 }),
      (error) => writeProblem(output, error),
    );
    printMessage(`Written: ${output}.`);
  }
  for (const list of body.data.incomplete) {
    printMessage(`"${list}" is too long to be complete. Read the rest with the operation that lists it.`);
  }
}

function writeProblem(file: string, error: unknown): CommandProblem {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new CommandProblem('wrongUse', `Cannot write ${file} (${code}).`, { cause: error });
}
