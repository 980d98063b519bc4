import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeForOwner } from '../../files/owner-file.js';
import { homeDirectory, host } from '../host.js';
import { CommandProblem } from '../problem.js';

/** What `rollcall login` stores: a client, or a user's session. */
export type StoredLogin =
  | { readonly url: string; readonly clientId: string; readonly clientSecret: string }
  | StoredSession;

export interface StoredSession {
  readonly url: string;
  readonly username: string;
  readonly token: string;
  readonly endsAt: string;
}

export function loginFile(): string {
  return join(configDirectory(), 'login.json');
}

export function storeLogin(login: StoredLogin): void {
  const file = loginFile();
  try {
    writeForOwner(file, `${JSON.stringify(login, null, 2)}\n`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem(
      'refused',
      `Cannot save the login to ${file} (${code}). Check that the directory is writable.`,
    );
  }
}

/** The stored login, if readable. Logging in or out must work without it. */
export function previousLogin(): StoredLogin | undefined {
  try {
    return readLogin();
  } catch (error) {
    if (error instanceof CommandProblem) return undefined;
    throw error;
  }
}

/** Returns whether there was a login, readable or not. */
export function removeLogin(): boolean {
  const file = loginFile();
  const wasThere = existsSync(file);
  try {
    rmSync(file, { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem(
      'refused',
      `Cannot remove ${file} (${code}). Check that the directory is writable.`,
    );
  }
  return wasThere;
}

export function readLogin(): StoredLogin | undefined {
  const file = loginFile();
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new CommandProblem(
        'refused',
        `${file} contains a secret but is readable by other users. Run \`chmod 600 ${file}\`.`,
      );
    }
  } catch (error) {
    if (error instanceof CommandProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandProblem('refused', `Cannot read ${file} (${code}).`);
  }
  const login = parsed(text);
  if (!login) throw new CommandProblem('refused', `${file} is damaged. Log in again: \`rollcall login\`.`);
  return login;
}

function parsed(text: string): StoredLogin | undefined {
  try {
    const login = JSON.parse(text) as Record<string, unknown> | null;
    const has = (...names: string[]) => names.every((name) => typeof login?.[name] === 'string');
    const isWhole = has('url', 'clientId', 'clientSecret') || has('url', 'username', 'token', 'endsAt');
    return isWhole ? (login as unknown as StoredLogin) : undefined;
  } catch {
    return undefined;
  }
}

/** Per-user configuration: https://specifications.freedesktop.org/basedir-spec. */
function configDirectory(): string {
  return join(host().env.XDG_CONFIG_HOME || join(homeDirectory(), '.config'), 'rollcall');
}

/** Where commands keep their progress. */
export function stateDirectory(): string {
  return join(host().env.XDG_STATE_HOME || join(homeDirectory(), '.local', 'state'), 'rollcall');
}
