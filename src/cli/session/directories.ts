import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a user's own settings are: https://specifications.freedesktop.org/basedir-spec. */
export function configDirectory(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'rollcall');
}

/** Where a command remembers how far it got. */
export function stateDirectory(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'rollcall');
}
