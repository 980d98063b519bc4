import { type Rollcall, RollcallError } from '#client';
import type { Exit } from '../exit-codes.js';
import { findUser, type SerialOption } from '../find-user.js';
import { type JsonOption, print, printJson } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { table } from '../terminal/table.js';

type Options = SerialOption & JsonOption;

/** `rollcall users activate ID…` */
export function activateUsers(ids: readonly string[], options: Options): Promise<Exit> {
  return setActive(ids, true, options);
}

/** `rollcall users deactivate ID…` */
export function deactivateUsers(ids: readonly string[], options: Options): Promise<Exit> {
  return setActive(ids, false, options);
}

type Outcome =
  | { readonly id: string; readonly ok: true; readonly name: string; readonly changed: boolean }
  | {
      readonly id: string;
      readonly ok: false;
      readonly error: { name: string; code: number; detail: string };
    };

/** One by one: a bulk call requires the name as well, and could overwrite a concurrent change of it. */
async function setActive(ids: readonly string[], isActive: boolean, options: Options): Promise<Exit> {
  const rollcall = connectInteractive();
  const outcomes: Outcome[] = [];
  try {
    for (const id of new Set(ids)) outcomes.push(await setOne(rollcall, id, isActive, options));
  } finally {
    printOutcomes(outcomes, isActive, options); // report what was done even if the service fails halfway
  }
  return outcomes.every(({ ok }) => ok) ? 'done' : 'someFailed';
}

async function setOne(
  rollcall: Rollcall,
  id: string,
  isActive: boolean,
  options: SerialOption,
): Promise<Outcome> {
  try {
    const user = await findUser(rollcall, id, options);
    const changed = user.isActive !== isActive;
    if (changed) {
      await rollcall.call('updateUser', { path: { serial: user.serial }, body: { isActive } });
    }
    return { id, ok: true, name: user.name, changed };
  } catch (error) {
    if (!(error instanceof RollcallError) || ![400, 404, 409].includes(error.status)) throw error;
    const { name, code, detail } = error;
    return { id, ok: false, error: { name, code, detail } };
  }
}

function printOutcomes(outcomes: readonly Outcome[], isActive: boolean, { json }: JsonOption): void {
  if (outcomes.length === 0) return;
  if (json) {
    printJson(outcomes);
    return;
  }
  const state = isActive ? 'active' : 'inactive';
  const rows = outcomes.map((outcome) =>
    outcome.ok
      ? [outcome.id, outcome.name, outcome.changed ? `now ${state}` : `already ${state}`]
      : [outcome.id, '', `failed: ${outcome.error.detail}`],
  );
  print(table([['ID', 'NAME', 'OUTCOME'], ...rows]));
}
