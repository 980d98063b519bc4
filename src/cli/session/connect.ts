import { readFileSync } from 'node:fs';
import {
  type Auth,
  bearer,
  type ClientOptions,
  clientCredentials,
  createClient,
  type Rollcall,
} from '#client';
import { version } from '../../contract/version.js';
import { type Host, host, pathOf } from '../host.js';
import { CommandProblem } from '../problem.js';
import { sessionAuth } from './session-auth.js';
import { loginFile, readLogin, type StoredLogin } from './stored-login.js';

export const defaultUrl = 'http://localhost:8080';

export interface Connection {
  readonly url: string;
  readonly auth: Auth;
  /** Where each came from: a variable, or the login file. */
  readonly from: { readonly url: string; readonly auth: string };
}

/** A client for the configured service and identity. */
export function connect(options: Partial<ClientOptions> = {}): Rollcall {
  const { url, auth } = connection(host().env);
  return clientAt(url, { auth, ...options });
}

/** The same with few retries, for commands whose user waits for the result. */
export function connectInteractive(): Rollcall {
  return connect({ retry: briefRetry });
}

export const briefRetry = { attemptsMax: 3 };

/** For long-running work: long enough for the service to restart. */
export const patientRetry = { attemptsMax: 60, waitMaxMs: 300_000 };

const lastUrls = new WeakMap<Host, string>();

/** The URL of the last client that this command has created, because connection errors do not contain it. */
export function lastUrl(): string | undefined {
  return lastUrls.get(host());
}

/** Validates the URL. */
export function clientAt(url: string, options: Partial<ClientOptions> = {}): Rollcall {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandProblem(
      'wrongUse',
      `"${url}" is not a valid service URL. Use one such as https://people.example.com.`,
    );
  }
  lastUrls.set(host(), url);
  try {
    return createClient({ userAgent: `rollcall/${version}`, ...options, baseUrl: url });
  } catch (error) {
    if (error instanceof TypeError)
      throw new CommandProblem('wrongUse', `Invalid service URL: ${error.message}`);
    throw error;
  }
}

/** Environment variables override the login, so that a job does not depend on who runs it. */
export function connection(environment: Environment): Connection {
  const given = environmentAuth(environment);
  const login = given && environment.ROLLCALL_URL ? undefined : readLogin();
  const { url, from } = urlOf(environment, login);
  if (given) return { url, auth: given.auth, from: { url: from, auth: given.from } };
  if (!login) {
    throw new CommandProblem(
      'wrongUse',
      'Not logged in. Run `rollcall login`, or set ROLLCALL_URL, ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET.',
    );
  }
  if (!isSameService(url, login.url)) {
    throw new CommandProblem(
      'wrongUse',
      `You are logged in to ${login.url}, but ROLLCALL_URL is ${url}. Run \`rollcall login ${url}\`, or set ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET too.`,
    );
  }
  return { url, auth: authOf(login), from: { url: from, auth: loginFile() } };
}

function urlOf(environment: Environment, login: StoredLogin | undefined) {
  if (environment.ROLLCALL_URL) return { url: environment.ROLLCALL_URL, from: 'ROLLCALL_URL' };
  return login ? { url: login.url, from: loginFile() } : { url: defaultUrl, from: 'default' };
}

function authOf(login: StoredLogin): Auth {
  if ('clientId' in login) return clientCredentials(login);
  if (Date.parse(login.endsAt) > Date.now()) return sessionAuth(login);
  throw new CommandProblem(
    'refused',
    `The session of ${login.username} has expired. Log in again: \`rollcall login\`.`,
  );
}

function isSameService(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

type Environment = Readonly<Record<string, string | undefined>>;

interface EnvironmentAuth {
  readonly auth: Auth;
  /** The variable it came from. */
  readonly from: 'ROLLCALL_TOKEN' | 'ROLLCALL_CLIENT_ID';
}

/** The credentials from the environment, if any. */
function environmentAuth(environment: Environment): EnvironmentAuth | undefined {
  const token = secretOf(environment, 'ROLLCALL_TOKEN');
  const clientId = environment.ROLLCALL_CLIENT_ID || undefined;
  const clientSecret = secretOf(environment, 'ROLLCALL_CLIENT_SECRET');
  if (token && clientId) {
    throw new CommandProblem(
      'wrongUse',
      'ROLLCALL_TOKEN and ROLLCALL_CLIENT_ID are both set. Keep only one of them.',
    );
  }
  if (token) return { auth: bearer(token), from: 'ROLLCALL_TOKEN' };
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    throw new CommandProblem(
      'wrongUse',
      'ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET must be set together.',
    );
  }
  return clientId !== undefined && clientSecret !== undefined
    ? { auth: clientCredentials({ clientId, clientSecret }), from: 'ROLLCALL_CLIENT_ID' }
    : undefined;
}

/** A secret, given directly or in a file. */
function secretOf(environment: Environment, name: string): string | undefined {
  const direct = environment[name];
  const file = environment[`${name}_FILE`];
  if (!file) return direct || undefined;
  if (direct)
    throw new CommandProblem('wrongUse', `${name} and ${name}_FILE are both set. Keep only one of them.`);
  try {
    return readFileSync(pathOf(file), 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem('wrongUse', `${name}_FILE points to ${file}, which cannot be read (${code}).`);
  }
}
