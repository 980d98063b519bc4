import { homedir } from 'node:os';
import { join } from 'node:path';

/** Per-user configuration: https://specifications.freedesktop.org/basedir-spec. */
export function configDirectory(): string {
  return join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'rollcall');
}

/** Where commands keep their progress. */
export function stateDirectory(): string {
  return join(process.env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'rollcall');
}
