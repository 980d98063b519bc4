import { type CallOptions, isRollcallError, newIdempotencyKey, type Rollcall } from '#client';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { readSecret } from '../session/secret-input.js';
import { sanitize } from '../terminal/text-width.js';

export interface CreateUserOptions extends JsonOption {
  readonly employeeId: string;
  readonly name: string;
  readonly username?: string | undefined;
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly inactive?: boolean | undefined;
  readonly tags?: string[] | undefined;
  readonly organization?: string | undefined;
  readonly passwordStdin?: boolean | undefined;
  readonly rehire?: boolean | undefined;
}

/** `rollcall users create`. The idempotency key makes retries safe. */
export async function createUser(options: CreateUserOptions): Promise<void> {
  const { employeeId: employeeID, name, username, email, phone, tags, organization, json } = options;
  const rollcall = connectInteractive();
  const password = options.passwordStdin ? await readSecret('Initial password', 'password') : undefined;
  const { status, body } = await rehireAdvised(rollcall, {
    query: { rehire: options.rehire },
    headers: { 'idempotency-key': newIdempotencyKey() },
    body: {
      employeeID,
      name,
      isActive: !options.inactive,
      ...(username === undefined ? {} : { username }),
      ...(email === undefined ? {} : { email }),
      ...(phone === undefined ? {} : { phone }),
      ...(password === undefined ? {} : { password }),
      ...(tags === undefined ? {} : { tagSerials: tags }),
      ...(organization === undefined ? {} : { organizationSerial: organization }),
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
