import { writeFileSync } from 'node:fs';
import type { Rollcall } from '#client';
import { personalReport, type ReportTexts } from '#sheets';
import { pathOf } from '../host.js';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { ask, canAsk } from '../terminal/prompt.js';
import { sanitize } from '../terminal/text-width.js';
import { findUser, type SerialOption, serialOf } from '../user-names.js';
import { withFileErrors } from '../with-file-errors.js';

interface ExportDataOptions extends SerialOption {
  readonly output?: string | undefined;
  readonly html?: boolean | undefined;
}

/** `rollcall users export-data ID` */
export async function exportData(id: string, { output, html, ...options }: ExportDataOptions): Promise<void> {
  const rollcall = connectInteractive();
  const serial = await serialOf(rollcall, id, options);
  const { body } = await rollcall.call('getPersonalData', { path: { serial } });
  const text = html
    ? personalReport(body.data, reportTexts(body.data.user?.name ?? id))
    : JSON.stringify(body.data, null, 2);
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

function reportTexts(name: string): ReportTexts {
  return {
    language: 'en',
    title: `Personal data of ${name}`,
    lead: 'Everything that Rollcall stores about this person, except passwords and other secrets.',
    nothing: (parts) => `Nothing is stored about: ${parts.join(', ')}.`,
    nameOf: (key) => {
      const words = key
        .replace(/([a-z])([A-Z])/g, '$1 $2')
        .replace(/ [A-Z](?=[a-z])/g, (letter) => letter.toLowerCase());
      return words.charAt(0).toUpperCase() + words.slice(1);
    },
    textOf: (_part, _name, value) => {
      if (value === null || value === undefined || value === '') return '–';
      if (typeof value === 'boolean') return value ? 'yes' : 'no';
      if (Array.isArray(value)) return value.join(', ') || '–';
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
    },
    whoOf: (actor) => {
      if (actor === null) return 'Rollcall';
      if (actor.kind === 'person') return actor.name ?? 'Erased user';
      return actor.name ?? actor.id;
    },
  };
}

interface EraseOptions extends SerialOption, JsonOption {
  readonly yes?: boolean | undefined;
}

/** `rollcall users erase ID` */
export async function eraseUser(id: string, options: EraseOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { serial, shown } = await userToErase(rollcall, id, options);
  if (!options.yes) await confirmByTyping(id, shown);
  const { body } = await rollcall.call('eraseUser', { path: { serial } });
  if (options.json) printJson(body.data);
  else {
    printMessage('Erased. What remains is the serial, with the times of its changes:');
    print(serial);
  }
}

function writeProblem(file: string, error: unknown): CommandProblem {
  const { code = 'unknown' } = error as NodeJS.ErrnoException;
  return new CommandProblem('wrongUse', `Cannot write ${file} (${code}).`, { cause: error });
}

/** With a serial, the user need not be readable, and may be erased already. */
async function userToErase(rollcall: Rollcall, id: string, options: SerialOption) {
  if (options.serial) return { serial: id, shown: id };
  const { serial, name, isActive } = await findUser(rollcall, id, options);
  return { serial, shown: `${sanitize(name)} (${id}, ${isActive ? 'active' : 'inactive'})` };
}

async function confirmByTyping(id: string, shown: string): Promise<void> {
  if (!canAsk()) {
    throw new CommandProblem(
      'wrongUse',
      'Confirmation is required, but there is no terminal to prompt on. To proceed, pass --yes.',
    );
  }
  printMessage(`All personal data of ${shown} will be erased. This cannot be undone.`);
  if ((await ask(`Type ${id} to confirm:`)) === id) return;
  throw new CommandProblem('refused', 'Aborted. Nothing was changed.');
}
