import { isRollcallError, type RequestBody } from '#client';
import { type SerialOption, serialOf } from '../find-user.js';
import { type JsonOption, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectBriefly } from '../session/connect.js';
import type { ClearableField } from './clearable-fields.js';
import { shownUpdatedUser } from './shown-user.js';

export interface UpdateUserOptions extends JsonOption, SerialOption {
  readonly rename?: string | undefined;
  readonly name?: string | undefined;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly active?: boolean | undefined;
  readonly tags?: string[] | undefined;
  readonly organization?: string | undefined;
  readonly clear?: ClearableField[] | undefined;
}

/** `rollcall users update ID`. It holds for the version that was read: what others do meanwhile is not overwritten. */
export async function updateUser(id: string, options: UpdateUserOptions): Promise<void> {
  const body = patchOf(options);
  const rollcall = connectBriefly();
  const path = { serial: await serialOf(rollcall, id, options) };
  const { etag } = await rollcall.call('getUser', { path });
  try {
    const updated = await rollcall.call('updateUser', { path, headers: { 'if-match': etag }, body });
    printRecord(updated.body.data, options, shownUpdatedUser);
  } catch (error) {
    if (!isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) throw error;
    throw new CommandProblem(
      'refused',
      'Somebody else changed this user at the same moment. Nothing of theirs was overwritten, and nothing was done: look, and run it again.',
      { cause: error },
    );
  }
}

type Patch = RequestBody<'updateUser'>;

export function patchOf(options: UpdateUserOptions): Patch {
  const given = {
    employeeID: options.rename,
    name: options.name,
    username: options.username,
    email: options.email,
    phone: options.phone,
    isActive: options.active,
    tagSerials: options.tags,
    organizationSerial: options.organization,
  };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const cleared = (options.clear ?? []).map((name) => [wireName(name), null] as const);
  const both = cleared.find(([field]) => set.some(([name]) => name === field));
  if (both) throw new CommandProblem('wrongUse', `${both[0]} is set and cleared at once; keep one of them.`);
  const patch = Object.fromEntries([...set, ...cleared]);
  if (Object.keys(patch).length > 0) return patch as Patch;
  throw new CommandProblem('wrongUse', 'Say what to change: rollcall users update --help lists it.');
}

function wireName(name: ClearableField): string {
  return name === 'tags' ? 'tagSerials' : name === 'organization' ? 'organizationSerial' : name;
}
