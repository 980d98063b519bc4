import { isRollcallError, type RequestBody } from '#client';
import { type SerialOption, serialOf } from '../find-user.js';
import { type JsonOption, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { type FieldOptionValues, fieldOfOption, fieldsGiven } from './field-options.js';
import { formatUpdatedUser } from './format-user.js';

export interface UpdateUserOptions extends JsonOption, SerialOption, FieldOptionValues {
  readonly rename?: string | undefined;
  readonly active?: boolean | undefined;
  readonly clear?: readonly string[] | undefined;
}

/** `rollcall users update ID`. If-Match keeps it from overwriting concurrent changes. */
export async function updateUser(id: string, options: UpdateUserOptions): Promise<void> {
  const body = patchOf(options);
  const rollcall = connectInteractive();
  const path = { serial: await serialOf(rollcall, id, options) };
  const { etag } = await rollcall.call('getUser', { path });
  try {
    const updated = await rollcall.call('updateUser', { path, headers: { 'if-match': etag }, body });
    printRecord(updated.body.data, options, formatUpdatedUser);
  } catch (error) {
    if (!isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) throw error;
    throw new CommandProblem(
      'refused',
      'The user was changed by someone else at the same time. Nothing was done. Review the change and run the command again.',
      { cause: error },
    );
  }
}

type Patch = RequestBody<'updateUser'>;

export function patchOf(options: UpdateUserOptions): Patch {
  const given = { employeeID: options.rename, isActive: options.active, ...fieldsGiven(options) };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const cleared = (options.clear ?? []).map((name) => [fieldOfOption(name), null] as const);
  const both = cleared.find(([field]) => set.some(([name]) => name === field));
  if (both)
    throw new CommandProblem('wrongUse', `${both[0]} is both set and cleared. Keep only one of them.`);
  const patch = Object.fromEntries([...set, ...cleared]);
  if (Object.keys(patch).length > 0) return patch as Patch;
  throw new CommandProblem(
    'wrongUse',
    'Nothing to update. See rollcall users update --help for the options.',
  );
}
