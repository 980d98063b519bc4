import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openTable, type Table, TableError, type TableOptions, tableProblemText } from '#sheets';
import { host, pathOf } from '../../host.js';
import { CommandProblem } from '../../problem.js';
import { throwIfStopped } from '../../stop.js';

/** A file that is read more than once and must not change meanwhile. */
export interface Source {
  /** The path as given, or stdin. */
  readonly name: string;
  /** A hash of the content. */
  readonly fingerprint: string;
  /** Unknown for stdin. */
  readonly modifiedAt: Date | undefined;
  open(): Promise<Blob>;
  /** Throws if the file has changed. */
  checkUnchanged(): void;
  close(): void;
}

/** stdin is spooled to a file first, because it is read twice. */
export async function openSource(path: string, signal: AbortSignal): Promise<Source> {
  if (path !== '-') return fileSource(pathOf(path), path);
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-sync-'));
  const cleanUp = () => rmSync(directory, { recursive: true, force: true });
  host().once('exit', cleanUp);
  const spooled = join(directory, 'stdin');
  try {
    await pipeline(host().stdin, createWriteStream(spooled, { mode: 0o600 }), { signal });
    const source = await fileSource(spooled, 'stdin');
    return { ...source, modifiedAt: undefined, close: cleanUp };
  } catch (error) {
    cleanUp();
    throwIfStopped(signal);
    throw readProblem('stdin', error);
  }
}

async function fileSource(path: string, name: string): Promise<Source> {
  try {
    const { size, mtimeMs, mtime } = statSync(path);
    return {
      name,
      modifiedAt: mtime,
      fingerprint: await fingerprintOf(path),
      open: () => openAsBlob(path),
      checkUnchanged: () => {
        const now = statSync(path);
        if (now.size === size && now.mtimeMs === mtimeMs) return;
        throw new CommandProblem('refused', `${name} changed while it was being read. Run the sync again.`);
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

function readProblem(name: string, error: unknown): unknown {
  const { code } = Object(error) as NodeJS.ErrnoException;
  if (error instanceof CommandProblem || typeof code !== 'string') return error;
  const reason =
    code === 'ENOENT' ? 'does not exist' : code === 'EISDIR' ? 'is a directory' : `cannot be read (${code})`;
  return new CommandProblem(
    'wrongUse',
    `${name} ${reason}. Give the path of a CSV, XLSX, JSON or NDJSON file, or - for stdin.`,
  );
}

/** A workbook of a million users unpacks to 0.5 GB, of which little is in memory at a time. */
const inflatedBytesMax = 4_000_000_000;

export async function openSourceTable(source: Source, options: TableOptions): Promise<Table> {
  try {
    return await openTable(await source.open(), { inflatedBytesMax, ...options });
  } catch (error) {
    throw asProblem(source, error);
  }
}

export function asProblem(source: Source, error: unknown): unknown {
  if (!(error instanceof TableError)) return readProblem(source.name, error);
  const hint = error.problem.code.startsWith('ENCODING') ? ' Or set its encoding with --encoding.' : '';
  return new CommandProblem(
    'wrongUse',
    `Cannot use ${source.name}. ${tableProblemText(error.problem)}${hint}`,
  );
}
