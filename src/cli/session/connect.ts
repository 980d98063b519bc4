import {
  type Auth,
  bearer,
  type ClientOptions,
  clientCredentials,
  createClient,
  type Rollcall,
} from '#client';
import { version } from '../../contract/version.js';
import { CommandProblem } from '../problem.js';
import { type Environment, environmentAuth } from './environment-auth.js';
import { loginFile, readLogin, type StoredLogin } from './stored-login.js';

export const defaultUrl = 'http://localhost:8080';

export interface Connection {
  readonly url: string;
  readonly auth: Auth;
  /** What decided on each: a variable, or the file of the login. */
  readonly from: { readonly url: string; readonly auth: string };
}

/** A client of the service that is meant, as whom it is meant. */
export function connect(options: Partial<ClientOptions> = {}): Rollcall {
  const { url, auth } = connection(process.env);
  return clientAt(url, { auth, ...options });
}

/** The same for a command that a person waits for, who would rather know soon that nothing answers. */
export function connectBriefly(): Rollcall {
  return connect({ retry: brieflyTried });
}

/** For whoever may be waiting before a terminal. */
export const brieflyTried = { attemptsMax: 3 };
/** For long work that is under way: long enough for a service to be started anew. */
export const patientlyTried = { attemptsMax: 60, waitMaxMs: 300_000 };

let called: string | undefined;

/** The URL of the last client that was made: an error of a connection does not know it. */
export function calledUrl(): string | undefined {
  return called;
}

/** A client of the service at a URL that somebody typed. */
export function clientAt(url: string, options: Partial<ClientOptions> = {}): Rollcall {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandProblem(
      'wrongUse',
      `"${url}" is not the URL of a service, such as https://people.example.com.`,
    );
  }
  called = url;
  try {
    return createClient({ userAgent: `rollcall/${version}`, ...options, baseUrl: url });
  } catch (error) {
    if (error instanceof TypeError)
      throw new CommandProblem('wrongUse', `The URL of the service: ${error.message}`);
    throw error;
  }
}

/** Environment variables win over the login, so that a job is what it is told to be, whoever runs it. */
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
      `You are logged in at ${login.url}, and ROLLCALL_URL is ${url}. Run \`rollcall login ${url}\`, or set ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET too.`,
    );
  }
  return { url, auth: authOf(login), from: { url: from, auth: loginFile() } };
}

function urlOf(environment: Environment, login: StoredLogin | undefined) {
  if (environment.ROLLCALL_URL) return { url: environment.ROLLCALL_URL, from: 'ROLLCALL_URL' };
  return login ? { url: login.url, from: loginFile() } : { url: defaultUrl, from: 'the default' };
}

function authOf(login: StoredLogin): Auth {
  if ('clientId' in login) return clientCredentials(login);
  if (Date.parse(login.endsAt) > Date.now()) return bearer(login.token);
  throw new CommandProblem(
    'refused',
    `The session of ${login.username} has ended. Log in again: \`rollcall login\`.`,
  );
}

function isSameService(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}
