import { readFileSync } from 'node:fs';
import { bearer, clientCredentials, isRollcallError, RequestFailed, type Rollcall } from '#client';
import { commandVariables } from '../../config/command-variables.js';
import { host, pathOf } from '../host.js';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { ask, askSecret, canAsk } from '../terminal/prompt.js';
import { err } from '../terminal/style.js';
import { briefRetry, clientAt, defaultUrl } from './connect.js';
import { endSession } from './logout.js';
import { enrolmentRequired, giveFactor } from './second-factor.js';
import { readSecret } from './secret-input.js';
import { loginFile, previousLogin, type StoredLogin, storeLogin } from './stored-login.js';
import { identityText, type Me, permissionsText } from './whoami.js';

interface LoginOptions extends JsonOption {
  readonly clientId?: string | undefined;
  readonly username?: string | undefined;
  readonly credentials?: string | undefined;
  readonly code?: string | undefined;
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
  if (username !== undefined) return logInUser(url, username, options.code);
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

/** Signs a user in. Only the session is stored, not the password. */
async function logInUser(url: string, username: string, code: string | undefined): Promise<StoredLogin> {
  const password = await readSecret('Password', 'password');
  const { body } = await clientAt(url, { retry: briefRetry })
    .call('signIn', { body: { username, password } })
    .catch((error: unknown) => {
      // A session whose token was lost expires by itself, so there is nothing to check.
      if (error instanceof RequestFailed) error.outcomeUnknown = false;
      if (!isRollcallError(error, 'ACCESS_SIGN_IN_FAILED')) throw error;
      throw new CommandProblem(
        'refused',
        `${error.detail} If ${username} is a client ID, run \`rollcall login --client-id ${username}\`.`,
        { cause: error },
      );
    });
  const { accessToken: token, expiresIn, mustChangePassword, secondFactor } = body.data;
  let login = { url, username, token, endsAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
  const rollcall = () => clientAt(url, { auth: bearer(login.token), retry: briefRetry });
  try {
    if (secondFactor === 'required') login = { ...login, token: await giveFactor(rollcall(), code) };
    if (mustChangePassword) {
      if (!canAsk()) throw passwordChangeRequired(url, username);
      login = { ...login, token: await choosePassword(rollcall(), password) };
    }
    if (secondFactor === 'enrol') throw enrolmentRequired(url);
    return login;
  } catch (error) {
    await endSession(login);
    throw error;
  }
}

function passwordChangeRequired(url: string, username: string): CommandProblem {
  return new CommandProblem(
    'refused',
    `This is an initial password, which ${username} has to change first. Run \`rollcall login --username ${username}\` in a terminal, or sign in at ${url}.`,
  );
}

/** Prompts until the service accepts a password. Returns the token with which the session goes on. */
async function choosePassword(rollcall: Rollcall, currentPassword: string): Promise<string> {
  printMessage('This is an initial password. Choose a new one:');
  for (;;) {
    const newPassword = await askSecret('New password');
    if (newPassword !== (await askSecret('Repeat new password'))) {
      printMessage('The passwords do not match. Try again:');
      continue;
    }
    try {
      const { body } = await rollcall.call('changePassword', { body: { currentPassword, newPassword } });
      printMessage('Password changed.');
      return body.data.accessToken ?? '';
    } catch (error) {
      if (!isRollcallError(error, 'ACCESS_PASSWORD_REFUSED', 'REQUEST_BODY_INVALID')) throw error;
      printMessage(`${error.detail} Try again:`);
    }
  }
}

interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads a client from the file of the first start, or from the output of `rollcall clients create --json`. */
function readCredentials(file: string): ClientLogin {
  const { clientId, clientSecret, id, secret } = readObject(file);
  const found = { clientId: clientId ?? id, clientSecret: clientSecret ?? secret };
  if (typeof found.clientId === 'string' && typeof found.clientSecret === 'string') {
    return { clientId: found.clientId, clientSecret: found.clientSecret };
  }
  throw new CommandProblem(
    'wrongUse',
    `${file} contains no credentials. It must be JSON with clientId and clientSecret, like data/first-credentials.json, or with id and secret, like the output of \`rollcall clients create --json\`.`,
  );
}

function readObject(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(pathOf(file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem('wrongUse', `Cannot read ${file} (${code}).`);
  }
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
