import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { writeForOwner } from '../../files/owner-file.js';
import { CommandProblem } from '../problem.js';
import { configDirectory } from './directories.js';

/** What `rollcall login` keeps: a client, or the session of a person. */
export type StoredLogin =
  | { readonly url: string; readonly clientId: string; readonly clientSecret: string }
  | { readonly url: string; readonly username: string; readonly token: string; readonly endsAt: string };

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
      `The login cannot be kept in ${file} (${code}): is the directory writable?`,
    );
  }
}

/** The login of before, if it can be read at all: whoever logs in or out does not need it. */
export function formerLogin(): StoredLogin | undefined {
  try {
    return readLogin();
  } catch (error) {
    if (error instanceof CommandProblem) return undefined;
    throw error;
  }
}

/** Whether there was one, damaged or not. */
export function forgetLogin(): boolean {
  const file = loginFile();
  const wasThere = existsSync(file);
  try {
    rmSync(file, { force: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandProblem('refused', `${file} cannot be removed (${code}): is the directory writable?`);
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
        `Others can read ${file}, which holds a secret: \`chmod 600 ${file}\`.`,
      );
    }
  } catch (error) {
    if (error instanceof CommandProblem) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CommandProblem('refused', `${file} cannot be read (${code}).`);
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
