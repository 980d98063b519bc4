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
import { CommandProblem } from '../problem.js';
import { readLogin } from './stored-login.js';

export const defaultUrl = 'http://localhost:8080';

export interface Connection {
  readonly url: string;
  readonly auth: Auth;
}

/** A client of the service that is meant, as whom it is meant. */
export function connect(options: Partial<ClientOptions> = {}): Rollcall {
  const { url, auth } = connection(process.env);
  return clientAt(url, { auth, ...options });
}

/** A client of the service at a URL that somebody typed. */
export function clientAt(url: string, options: Partial<ClientOptions> = {}): Rollcall {
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw new CommandProblem(
      'wrongUse',
      `"${url}" is not the URL of a service, such as https://people.example.com.`,
    );
  }
  try {
    return createClient({ userAgent: `rollcall/${version}`, ...options, baseUrl: url });
  } catch (error) {
    if (error instanceof TypeError)
      throw new CommandProblem('wrongUse', `The URL of the service: ${error.message}`);
    throw error;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Environment variables win over the login, so that a job is what it is told to be, whoever runs it. */
export function connection(environment: Environment): Connection {
  const given = ofEnvironment(environment);
  if (given) return { url: environment.ROLLCALL_URL || (readLogin()?.url ?? defaultUrl), auth: given };
  const login = readLogin();
  if (!login) {
    throw new CommandProblem(
      'wrongUse',
      'Not logged in. Run `rollcall login`, or set ROLLCALL_URL, ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET.',
    );
  }
  const url = environment.ROLLCALL_URL || login.url;
  if (!isSameService(url, login.url)) {
    throw new CommandProblem(
      'wrongUse',
      `You are logged in at ${login.url}, and ROLLCALL_URL is ${url}. Run \`rollcall login ${url}\`, or set ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET too.`,
    );
  }
  if ('clientId' in login) return { url, auth: clientCredentials(login) };
  if (Date.parse(login.endsAt) <= Date.now()) {
    throw new CommandProblem(
      'refused',
      `The session of ${login.username} has ended. Log in again: \`rollcall login\`.`,
    );
  }
  return { url, auth: bearer(login.token) };
}

function isSameService(one: string, other: string): boolean {
  return one.replace(/\/+$/, '') === other.replace(/\/+$/, '');
}

function ofEnvironment(environment: Environment): Auth | undefined {
  const token = secretOf(environment, 'ROLLCALL_TOKEN');
  const clientId = environment.ROLLCALL_CLIENT_ID || undefined;
  const clientSecret = secretOf(environment, 'ROLLCALL_CLIENT_SECRET');
  if (token && clientId) {
    throw new CommandProblem(
      'wrongUse',
      'ROLLCALL_TOKEN and ROLLCALL_CLIENT_ID are both set; keep one of them.',
    );
  }
  if (token) return bearer(token);
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    throw new CommandProblem(
      'wrongUse',
      'ROLLCALL_CLIENT_ID and ROLLCALL_CLIENT_SECRET must be set together.',
    );
  }
  return clientId !== undefined && clientSecret !== undefined
    ? clientCredentials({ clientId, clientSecret })
    : undefined;
}

/** A secret, or the file that holds it. */
function secretOf(environment: Environment, name: string): string | undefined {
  const direct = environment[name];
  const file = environment[`${name}_FILE`];
  if (!file) return direct || undefined;
  if (direct)
    throw new CommandProblem('wrongUse', `${name} and ${name}_FILE are both set; keep one of them.`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem('wrongUse', `${name}_FILE names ${file}, which cannot be read (${code}).`);
  }
}
