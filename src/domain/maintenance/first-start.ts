import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { scopes } from '../../contract/scopes.js';
import { valuesIn } from '../../contract/user-values.js';
import { writeForOwner } from '../../files/owner-file.js';
import { ensureClient } from '../../storage/access/clients.js';
import { insertInitialPasswords } from '../../storage/access/credentials.js';
import { setRole } from '../../storage/access/roles.js';
import { type Executor, transaction } from '../../storage/database.js';
import { dataDirNames } from '../../storage/embedded/data-dir.js';
import { StartupError } from '../../storage/errors.js';
import { claimFirstStart } from '../../storage/installation.js';
import { insertUser } from '../../storage/users/insert-users.js';
import { createSigningKey } from '../access/signing-keys.js';
import { logCreated } from '../changes/log-changes.js';
import { hashSecret, newClientId, newSecret } from '../clients/client-credentials.js';
import { generatePassword, type PasswordHasher } from '../passwords/password.js';
import type { SecretContext } from '../secrets/secret-cipher.js';
import { newSerial } from '../serial.js';

export interface FirstStartContext extends SecretContext {
  readonly passwords: PasswordHasher;
}

export interface FirstStartOptions {
  readonly dataDir: string;
  readonly adminUsername: string;
  readonly adminEmail: string;
  /** Set by deployments that inject secrets; the client then uses these instead of generated ones. */
  readonly bootstrapClient: { readonly id: string; readonly secret: string } | undefined;
}

export interface FirstCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
}

/**
 * On an empty database, creates the signing key, the administrator and the first client, and writes their credentials
 * to a file before the commit: a crash in between leaves a useless file rather than an inaccessible installation. Later
 * starts only update the injected client.
 */
export async function firstStart(
  { database, passwords, cipher }: FirstStartContext,
  options: FirstStartOptions,
): Promise<{ credentials: FirstCredentials; file: string } | undefined> {
  const credentials: FirstCredentials = {
    clientId: options.bootstrapClient?.id ?? newClientId(),
    clientSecret: options.bootstrapClient?.secret ?? newSecret(),
    username: options.adminUsername,
    password: generatePassword(),
  };
  const file = join(resolve(options.dataDir), dataDirNames.firstCredentials);
  let written = false;
  try {
    const isFirst = await transaction(database, async (tx) => {
      const first = await claimFirstStart(tx);
      if (first) {
        await createSigningKey(tx, cipher);
        await insertAdministrator(tx, await passwords.hash(credentials.password), options);
      }
      if (first || options.bootstrapClient) await insertFirstClient(tx, credentials);
      if (first) {
        writeCredentials(file, credentials);
        written = true;
      }
      return first;
    });
    return isFirst ? { credentials, file } : undefined;
  } catch (error) {
    if (written) rmSync(file, { force: true });
    throw error;
  }
}

async function insertAdministrator(
  tx: Executor,
  passwordHash: string,
  { adminUsername, adminEmail }: FirstStartOptions,
): Promise<void> {
  const user = {
    ...newSerial(),
    version: 1,
    ...valuesIn({
      employeeID: adminUsername,
      name: 'Administrator',
      username: adminUsername,
      email: adminEmail,
      isActive: true,
    }),
  };
  await insertUser(tx, user);
  await logCreated(tx, [user], { actor: null, requestId: null, callId: null });
  await insertInitialPasswords(tx, [{ userSerial: user.serial, passwordHash }], null);
  await setRole(tx, user.serial, 'administrator');
}

async function insertFirstClient(tx: Executor, { clientId, clientSecret }: FirstCredentials): Promise<void> {
  await ensureClient(tx, {
    id: clientId,
    name: 'API',
    scopes,
    secretHash: hashSecret(clientSecret),
  });
}

function writeCredentials(file: string, credentials: FirstCredentials): void {
  try {
    writeForOwner(file, `${JSON.stringify(credentials, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `The first credentials cannot be written to ${file} (${code}). Make the directory writable, or set ROLLCALL_DATA_DIR.`,
    );
  }
}
