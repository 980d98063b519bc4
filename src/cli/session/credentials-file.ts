import { readFileSync } from 'node:fs';
import { pathOf } from '../host.js';
import { CommandProblem } from '../problem.js';

export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Reads a client from the file of the first start, or from the output of `rollcall clients create --json`. */
export function readCredentials(file: string): ClientLogin {
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
