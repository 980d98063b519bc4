import { readFileSync } from 'node:fs';
import { CommandProblem } from '../problem.js';

export interface ClientLogin {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The client of a file: of the first start, or as `rollcall clients create --json` printed it. */
export function readCredentials(file: string): ClientLogin {
  const { clientId, clientSecret, id, secret } = readObject(file);
  const found = { clientId: clientId ?? id, clientSecret: clientSecret ?? secret };
  if (typeof found.clientId === 'string' && typeof found.clientSecret === 'string') {
    return { clientId: found.clientId, clientSecret: found.clientSecret };
  }
  throw new CommandProblem(
    'wrongUse',
    `${file} holds no credentials: it must be JSON with clientId and clientSecret, as data/first-credentials.json, or with id and secret, as \`rollcall clients create --json\` prints it.`,
  );
}

function readObject(file: string): Record<string, unknown> {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem('wrongUse', `${file} cannot be read (${code}).`);
  }
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
