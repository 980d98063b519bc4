import { type CallOptions, isRollcallError, newIdempotencyKey, type Rollcall } from '#client';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { readSecret } from '../session/secret-input.js';
import { sanitize } from '../terminal/text-width.js';
import { type FieldOptionValues, fieldsGiven } from './field-options.js';

export interface CreateUserOptions extends JsonOption, FieldOptionValues {
  readonly employeeId: string;
  readonly name: string;
  readonly inactive?: boolean | undefined;
  readonly passwordStdin?: boolean | undefined;
  readonly rehire?: boolean | undefined;
}

/** `rollcall users create`. The idempotency key makes retries safe. */
export async function createUser(options: CreateUserOptions): Promise<void> {
  const { employeeId: employeeID, name, json } = options;
  const rollcall = connectInteractive();
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
