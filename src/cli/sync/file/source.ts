import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandProblem } from '../../problem.js';
import { stopIfAsked } from '../../stop.js';

/** A file that is read more than once, and has to stay as it is meanwhile. */
export interface Source {
  /** As it was given: a path, or stdin. */
  readonly name: string;
  /** What tells one content from another. */
  readonly fingerprint: string;
  open(): Promise<Blob>;
  /** Stops if somebody wrote to the file since. */
  checkUnchanged(): void;
  close(): void;
}

/** What comes on stdin is put into a file first: it is read twice. */
export async function openSource(path: string, signal: AbortSignal): Promise<Source> {
  if (path !== '-') return fileSource(path, path);
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-sync-'));
  const forget = () => rmSync(directory, { recursive: true, force: true });
  process.once('exit', forget);
  const spooled = join(directory, 'stdin');
  try {
    await pipeline(process.stdin, createWriteStream(spooled, { mode: 0o600 }), { signal });
    const source = await fileSource(spooled, 'stdin');
    return { ...source, close: forget };
  } catch (error) {
    forget();
    stopIfAsked(signal);
    throw readProblem('stdin', error);
  }
}

async function fileSource(path: string, name: string): Promise<Source> {
  try {
    const { size, mtimeMs } = statSync(path);
    return {
      name,
      fingerprint: await fingerprintOf(path),
      open: () => openAsBlob(path),
      checkUnchanged: () => {
        const now = statSync(path);
        if (now.size === size && now.mtimeMs === mtimeMs) return;
        throw new CommandProblem('refused', `${name} was changed while it was read. Run the sync again.`);
      },
      close: () => {},
    };
  } catch (error) {
    throw readProblem(name, error);
  }
}

async function fingerprintOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

export function readProblem(name: string, error: unknown): unknown {
  const { code } = Object(error) as NodeJS.ErrnoException;
  if (error instanceof CommandProblem || typeof code !== 'string') return error;
  const why =
    code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a directory' : `cannot be read (${code})`;
  return new CommandProblem(
    'wrongUse',
    `${name} ${why}. Give the path of a CSV, XLSX, JSON or NDJSON file, or - for stdin.`,
  );
}
