import { bearer, clientCredentials, isRollcallError } from '#client';
import { commandVariables } from '../../config/command-variables.js';
import { type JsonOption, printJson, say } from '../output.js';
import { CommandProblem } from '../problem.js';
import { ask, canAsk } from '../terminal/prompt.js';
import { err } from '../terminal/style.js';
import { brieflyTried, clientAt, defaultUrl } from './connect.js';
import { type ClientLogin, readCredentials } from './credentials-file.js';
import { logInPerson } from './person-login.js';
import { readSecret } from './secret-input.js';
import { endSession } from './session-end.js';
import { formerLogin, loginFile, type StoredLogin, storeLogin } from './stored-login.js';
import { type Me, shownScopes, shownWho } from './who.js';

export interface LoginOptions extends JsonOption {
  readonly clientId?: string | undefined;
  readonly username?: string | undefined;
  readonly credentials?: string | undefined;
}

/** `rollcall login`: what is missing is asked for, and nothing is kept that the service did not take. */
export async function logIn(givenUrl: string | undefined, options: LoginOptions): Promise<void> {
  const file = options.credentials === undefined ? undefined : readCredentials(options.credentials);
  const former = formerLogin();
  const url = givenUrl ?? (await chosenUrl(former, file === undefined));
  clientAt(url); // a URL that is none is told before a secret is asked for
  const login = { url, ...(file ?? (await chosenLogin(url, options))) };
  const me = await whoIs(login);
  storeLogin(login);
  await endSession(former);
  tell(login, me, options);
}

async function chosenUrl(former: StoredLogin | undefined, mayAsk: boolean): Promise<string> {
  const known = process.env.ROLLCALL_URL || (former?.url ?? defaultUrl);
  return mayAsk && canAsk() ? ask('URL of the service', known) : known;
}

async function chosenLogin(url: string, options: LoginOptions): Promise<ClientLogin | StoredLogin> {
  const { clientId, username } = options.clientId || options.username ? options : await chosenName();
  if (username !== undefined) return logInPerson(url, username);
  if (clientId === undefined) throw nobody();
  return { clientId, clientSecret: await readSecret('Secret', 'secret') };
}

async function chosenName(): Promise<Pick<LoginOptions, 'clientId' | 'username'>> {
  if (!canAsk()) throw nobody();
  const name = await ask('Client ID or username');
  if (name === '') throw nobody();
  // A username has letters and digits alone; the ID of a client has a hyphen.
  return /^[a-z0-9]+$/i.test(name) ? { username: name } : { clientId: name };
}

function nobody(): CommandProblem {
  return new CommandProblem(
    'wrongUse',
    'Say who logs in: --client-id ID or --username NAME, with the secret on stdin, or --credentials FILE.',
  );
}

async function whoIs(login: StoredLogin): Promise<Me> {
  const auth = 'clientId' in login ? clientCredentials(login) : bearer(login.token);
  try {
    const { body } = await clientAt(login.url, { auth, retry: brieflyTried }).call('getMe');
    return body.data;
  } catch (error) {
    if (!isRollcallError(error, 'ACCESS_CLIENT_INVALID')) throw error;
    throw new CommandProblem(
      'refused',
      `The service at ${login.url} does not take this client ID with this secret, or the client is disabled. Nothing was stored.`,
      { cause: error },
    );
  }
}

function tell(login: StoredLogin, me: Me, { json }: JsonOption): void {
  const endsAt = 'endsAt' in login ? login.endsAt : null;
  if (json) printJson({ url: login.url, ...me, endsAt, file: loginFile() });
  else {
    say(`Logged in at ${login.url} as ${shownWho(me)}.`);
    say(`Allowed: ${shownScopes(me)}.`);
    say(`Kept in ${loginFile()}${endsAt === null ? '' : ` until ${endsAt}`}.`);
  }
  const { protocol, hostname } = new URL(login.url);
  if (protocol === 'http:' && !/^(?:localhost|127\..*|\[::1\])$/.test(hostname)) {
    say(err.yellow('Without https everybody on the way can read the secret.'));
  }
  for (const name of Object.keys(commandVariables).filter((variable) => process.env[variable])) {
    const shown = name === 'ROLLCALL_URL' ? `${name} (${process.env[name]})` : name;
    say(err.yellow(`${shown} is set and goes before this login.`));
  }
}
