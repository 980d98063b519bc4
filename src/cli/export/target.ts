import { once } from 'node:events';
import { realpathSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { host, pathOf } from '../host.js';
import { CommandProblem } from '../problem.js';
import { withFileErrors } from '../with-file-errors.js';

/** Where the table is written. */
export interface Target {
  /** The path as given; undefined for stdout. */
  readonly file: string | undefined;
  write(bytes: Uint8Array): Promise<void>;
  /** The table is complete. */
  finish(): Promise<void>;
  /** The table will never be complete. */
  abandon(): Promise<void>;
}

export function openTarget(path: string | undefined, signal: AbortSignal): Promise<Target> {
  return path === undefined ? Promise.resolve(stdout(signal)) : openFile(path);
}

/** Respects backpressure. */
function stdout(signal: AbortSignal): Target {
  return {
    file: undefined,
    async write(bytes) {
      if (!host().stdout.write(bytes)) await once(host().stdout, 'drain', { signal });
    },
    async finish() {},
    async abandon() {},
  };
}

async function openFile(file: string): Promise<Target> {
  const path = pathOf(file);
  try {
    const existing = statOf(path);
    // A device or pipe cannot be replaced by renaming a file.
    if (existing && !existing.isFile()) return directFile(file, await open(path, 'w'));
    return await partialFile(file, path, existing);
  } catch (error) {
    throw asProblem(file, error, 'wrongUse');
  }
}

function directFile(file: string, handle: FileHandle): Target {
  return {
    file,
    write: (bytes) => writing(file, () => handle.appendFile(bytes)),
    finish: () => writing(file, () => handle.close()),
    abandon: () => handle.close(),
  };
}

/** Gets its final name only when complete, so that a partial file is never mistaken for a full one. */
async function partialFile(file: string, path: string, existing: Stats | undefined): Promise<Target> {
  const finalPath = existing ? realpathSync(path) : path;
  const partial = `${finalPath}.partial`;
  rmSync(partial, { force: true }); // left by a process that was killed
  const handle = await open(partial, 'wx', 0o600);
  if (existing) await handle.chmod(existing.mode & 0o777);
  const { ino } = await handle.stat();
  const isOurs = () => statOf(partial)?.ino === ino;
  return {
    ...directFile(file, handle),
    finish: () =>
      writing(file, async () => {
        await handle.sync(); // otherwise a crash could leave the name without the content
        await handle.close();
        if (!isOurs()) throw new CommandProblem('refused', `Another export is writing to ${file}.`);
        renameSync(partial, finalPath);
      }),
    abandon: async () => {
      await handle.close();
      if (isOurs()) rmSync(partial, { force: true });
    },
  };
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function writing(path: string, work: () => Promise<void>): Promise<void> {
  return withFileErrors(work, (error) => asProblem(path, error, 'someFailed'));
}

function asProblem(path: string, error: unknown, exit: 'wrongUse' | 'someFailed'): unknown {
  if (typeof Object(error).syscall !== 'string') return error;
  return new CommandProblem(exit, writeProblem(path, error as NodeJS.ErrnoException), { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a directory',
  ENOENT: 'the directory does not exist',
};

function writeProblem(name: string, { code = 'unknown' }: NodeJS.ErrnoException): string {
  const reason = reasons[code];
  return `Cannot write ${name} (${reason === undefined ? code : `${code}: ${reason}`}).`;
}
