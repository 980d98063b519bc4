import { join } from 'node:path';
import { homeDirectory, host } from '../host.js';

/** Per-user configuration: https://specifications.freedesktop.org/basedir-spec. */
export function configDirectory(): string {
  return join(host().env.XDG_CONFIG_HOME || join(homeDirectory(), '.config'), 'rollcall');
}

/** Where commands keep their progress. */
export function stateDirectory(): string {
  return join(host().env.XDG_STATE_HOME || join(homeDirectory(), '.local', 'state'), 'rollcall');
}
