import { newIdempotencyKey } from '#client';
import { type JsonOption, print, printJson, printMessage } from '../output.js';
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
}

/** `rollcall users create`. The idempotency key makes retries safe. */
export async function createUser(options: CreateUserOptions): Promise<void> {
  const { employeeId: employeeID, name, username, email, phone, tags, organization, json } = options;
  const rollcall = connectInteractive();
  const password = options.passwordStdin ? await readSecret('Initial password', 'password') : undefined;
  const { body } = await rollcall.call('createUser', {
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
  if (json) printJson({ employeeID, serial });
  else {
    printMessage(`Created ${sanitize(name)} (${sanitize(employeeID)}). Serial:`);
    print(serial);
  }
}
