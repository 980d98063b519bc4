import {
  type CallOptions,
  isRollcallError,
  newIdempotencyKey,
  type RequestBody,
  type Rollcall,
} from '#client';
import type { Role } from '../../contract/scopes.js';
import type { KeyValue } from '../arguments.js';
import { readAttributes } from '../attribute-definitions.js';
import { type JsonOption, print, printJson, printMessage, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { readSecret } from '../session/secret-input.js';
import { sanitize } from '../terminal/text-width.js';
import { type SerialOption, serialOf } from '../user-names.js';
import { type FieldOptionValues, fieldOfOption, fieldsGiven } from './field-options.js';
import { formatUpcoming, formatUpdatedUser, formatUser } from './format-user.js';

/** `rollcall users get ID` */
export async function getUser(id: string, options: SerialOption & JsonOption): Promise<void> {
  const rollcall = connectInteractive();
  const path = { serial: await serialOf(rollcall, id, options) };
  const { data } = (await rollcall.call('getUser', { path })).body;
  printRecord(data, options, (user) => [...formatUser(user), ...user.upcomingChanges.map(formatUpcoming)]);
}

interface CreateUserOptions extends JsonOption, FieldOptionValues {
  readonly employeeId: string;
  readonly name: string;
  readonly inactive?: boolean | undefined;
  readonly passwordStdin?: boolean | undefined;
  readonly rehire?: boolean | undefined;
  readonly attribute?: readonly KeyValue[] | undefined;
}

/** `rollcall users create`. The idempotency key makes retries safe. */
export async function createUser(options: CreateUserOptions): Promise<void> {
  const { employeeId: employeeID, name, json } = options;
  const rollcall = connectInteractive();
  const attributes = await readAttributes(rollcall, options.attribute ?? [], '--attribute');
  const password = options.passwordStdin ? await readSecret('Initial password', 'password') : undefined;
  const { status, body } = await rehireAdvised(rollcall, {
    query: { rehire: options.rehire },
    headers: { 'idempotency-key': newIdempotencyKey() },
    body: {
      ...fieldsGiven(options),
      employeeID,
      name,
      isActive: !options.inactive,
      ...(password === undefined ? {} : { password }),
      ...(options.attribute === undefined ? {} : { attributes }),
    },
  });
  const { serial } = body.data;
  if (json) printJson({ employeeID, serial, ...(status === 200 && { rehired: true }) });
  else {
    const done = status === 200 ? 'Rehired' : 'Created';
    printMessage(`${done} ${sanitize(name)} (${sanitize(employeeID)}). Serial:`);
    print(serial);
  }
}

interface UpdateUserOptions extends JsonOption, SerialOption, FieldOptionValues {
  readonly rename?: string | undefined;
  readonly active?: boolean | undefined;
  readonly clear?: readonly string[] | undefined;
  readonly attribute?: readonly KeyValue[] | undefined;
}

/** `rollcall users update ID`. If-Match keeps it from overwriting concurrent changes. */
export async function updateUser(id: string, options: UpdateUserOptions): Promise<void> {
  const plain = patchOf(options);
  const rollcall = connectInteractive();
  const attributes = await readAttributes(rollcall, options.attribute ?? [], '--attribute');
  const body = options.attribute === undefined ? plain : { ...plain, attributes };
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

/** `rollcall users reset-password ID` */
export async function resetPassword(id: string, options: SerialOption & JsonOption): Promise<void> {
  const rollcall = connectInteractive();
  const serial = await serialOf(rollcall, id, options);
  const { body } = await rollcall.call('resetPassword', { path: { serial } });
  if (options.json) printJson({ serial, ...body.data });
  else {
    printMessage('A new password is being sent. The user has to change it at the next sign-in. Delivery:');
    print(body.data.deliveryId);
  }
}

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

/** Names the option that rehires, rather than the parameter. */
async function rehireAdvised(rollcall: Rollcall, options: CallOptions<'createUser'>) {
  try {
    return await rollcall.call('createUser', options);
  } catch (error) {
    const takenBy = isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS') ? error.data.takenBy : undefined;
    if (takenBy?.isActive !== false || options.query?.rehire) throw error;
    const problem = `an inactive user has the employee ID ${takenBy.value}. To reactivate them with this data, use --rehire.`;
    throw new CommandProblem('refused', `Could not create the user: ${problem}`, { cause: error });
  }
}

type Patch = RequestBody<'updateUser'>;

function patchOf(options: UpdateUserOptions): Patch {
  const given = { employeeID: options.rename, isActive: options.active, ...fieldsGiven(options) };
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  const cleared = (options.clear ?? []).map((name) => [fieldOfOption(name), null] as const);
  const both = cleared.find(([field]) => set.some(([name]) => name === field));
  if (both)
    throw new CommandProblem('wrongUse', `${both[0]} is both set and cleared. Keep only one of them.`);
  const patch = Object.fromEntries([...set, ...cleared]);
  if (Object.keys(patch).length > 0 || options.attribute !== undefined) return patch as Patch;
  throw new CommandProblem(
    'wrongUse',
    'Nothing to update. See rollcall users update --help for the options.',
  );
}
