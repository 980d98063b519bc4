import { readFileSync } from 'node:fs';
import { type Auth, bearer, clientCredentials } from '#client';
import { pathOf } from '../host.js';
import { CommandProblem } from '../problem.js';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface EnvironmentAuth {
  readonly auth: Auth;
  /** The variable it came from. */
  readonly from: 'ROLLCALL_TOKEN' | 'ROLLCALL_CLIENT_ID';
}

/** The credentials from the environment, if any. */
export function environmentAuth(environment: Environment): EnvironmentAuth | undefined {
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
