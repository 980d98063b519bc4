import { bearer, clientCredentials, isRollcallError } from '#client';
import { commandVariables } from '../../config/command-variables.js';
import { host } from '../host.js';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { ask, canAsk } from '../terminal/prompt.js';
import { err } from '../terminal/style.js';
import { briefRetry, clientAt, defaultUrl } from './connect.js';
import { type ClientLogin, readCredentials } from './credentials-file.js';
import { endSession } from './end-session.js';
import { identityText, type Me, permissionsText } from './identity.js';
import { readSecret } from './secret-input.js';
import { loginFile, previousLogin, type StoredLogin, storeLogin } from './stored-login.js';
import { logInUser } from './user-login.js';

export interface LoginOptions extends JsonOption {
  readonly clientId?: string | undefined;
  readonly username?: string | undefined;
  readonly credentials?: string | undefined;
}

/** `rollcall login`: prompts for what is missing, and stores only what the service accepted. */
export async function logIn(givenUrl: string | undefined, options: LoginOptions): Promise<void> {
  const file = options.credentials === undefined ? undefined : readCredentials(options.credentials);
  const former = previousLogin();
  const url = givenUrl ?? (await chosenUrl(former, file === undefined));
  clientAt(url); // report an invalid URL before prompting for a secret
  const login = { url, ...(file ?? (await chosenLogin(url, options))) };
  const me = await fetchIdentity(login);
  storeLogin(login);
  await endSession(former);
  printLogin(login, me, options);
}

async function chosenUrl(former: StoredLogin | undefined, mayAsk: boolean): Promise<string> {
  const known = host().env.ROLLCALL_URL || (former?.url ?? defaultUrl);
  return mayAsk && canAsk() ? ask('Service URL', known) : known;
}

async function chosenLogin(url: string, options: LoginOptions): Promise<ClientLogin | StoredLogin> {
  const { clientId, username } = options.clientId || options.username ? options : await chosenName();
  if (username !== undefined) return logInUser(url, username);
  if (clientId === undefined) throw identityMissing();
  return { clientId, clientSecret: await readSecret('Secret', 'secret') };
}

async function chosenName(): Promise<Pick<LoginOptions, 'clientId' | 'username'>> {
  if (!canAsk()) throw identityMissing();
  const name = await ask('Client ID or username');
  if (name === '') throw identityMissing();
  // Usernames have only letters and digits; client IDs contain a hyphen.
  return /^[a-z0-9]+$/i.test(name) ? { username: name } : { clientId: name };
}

function identityMissing(): CommandProblem {
  return new CommandProblem(
    'wrongUse',
    'Specify --client-id ID or --username NAME with the secret on stdin, or --credentials FILE.',
  );
}

async function fetchIdentity(login: StoredLogin): Promise<Me> {
  const auth = 'clientId' in login ? clientCredentials(login) : bearer(login.token);
  try {
    const { body } = await clientAt(login.url, { auth, retry: briefRetry }).call('getMe');
    return body.data;
  } catch (error) {
    if (!isRollcallError(error, 'ACCESS_CLIENT_INVALID')) throw error;
    throw new CommandProblem(
      'refused',
      `The service at ${login.url} rejected this client ID and secret, or the client is disabled. Nothing was stored.`,
      { cause: error },
    );
  }
}

function printLogin(login: StoredLogin, me: Me, { json }: JsonOption): void {
  const endsAt = 'endsAt' in login ? login.endsAt : null;
  if (json) printJson({ url: login.url, ...me, endsAt, file: loginFile() });
  else {
    printMessage(`Logged in to ${login.url} as ${identityText(me)}.`);
    printMessage(`Permissions: ${permissionsText(me)}.`);
    printMessage(`Saved to ${loginFile()}${endsAt === null ? '' : `, valid until ${endsAt}`}.`);
  }
  const { protocol, hostname } = new URL(login.url);
  if (protocol === 'http:' && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname)) {
    printMessage(err.yellow('Warning: without HTTPS, the secret can be intercepted.'));
  }
  for (const name of Object.keys(commandVariables).filter((variable) => host().env[variable])) {
    const shown = name === 'ROLLCALL_URL' ? `${name} (${host().env[name]})` : name;
    printMessage(err.yellow(`Warning: ${shown} is set and overrides this login.`));
  }
}
