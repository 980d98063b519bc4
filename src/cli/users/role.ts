import type { Role } from '../../contract/scopes.js';
import { type SerialOption, serialOf } from '../find-user.js';
import { type JsonOption, print, printJson } from '../output.js';
import { connectInteractive } from '../session/connect.js';

/** `rollcall users role ID [role|none]` */
export async function userRole(
  id: string,
  role: Role | 'none' | undefined,
  options: SerialOption & JsonOption,
): Promise<void> {
  const rollcall = connectInteractive();
  const path = { serial: await serialOf(rollcall, id, options) };
  const { body } =
    role === undefined
      ? await rollcall.call('getRole', { path })
      : await rollcall.call('setRole', { path, body: { role: role === 'none' ? null : role } });
  if (options.json) printJson(body.data);
  else print(body.data.role ?? 'none');
}
