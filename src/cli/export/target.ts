import { once } from 'node:events';
import { realpathSync, renameSync, rmSync, type Stats, statSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { CommandProblem } from '../problem.js';

/** Where a table is written to. */
export interface Target {
  /** As it was given; undefined for stdout. */
  readonly file: string | undefined;
  write(bytes: Uint8Array): Promise<void>;
  /** It is whole. */
  finish(): Promise<void>;
  /** It is not, and never will be. */
  abandon(): Promise<void>;
}

export function openTarget(path: string | undefined, signal: AbortSignal): Promise<Target> {
  return path === undefined ? Promise.resolve(stdout(signal)) : openFile(path);
}

/** Waits for whoever reads, so that nothing piles up here. */
function stdout(signal: AbortSignal): Target {
  return {
    file: undefined,
    async write(bytes) {
      if (!process.stdout.write(bytes)) await once(process.stdout, 'drain', { signal });
    },
    async finish() {},
    async abandon() {},
  };
}

async function openFile(path: string): Promise<Target> {
  try {
    const existing = statOf(path);
    // Neither a device nor a pipe can be put in place of itself.
    if (existing && !existing.isFile()) return ownFile(path, await open(path, 'w'));
    return await partialFile(path, existing);
  } catch (error) {
    throw asProblem(path, error, 'wrongUse');
  }
}

function ownFile(file: string, handle: FileHandle): Target {
  return {
    file,
    write: (bytes) => guarded(file, () => handle.appendFile(bytes)),
    finish: () => guarded(file, () => handle.close()),
    abandon: () => handle.close(),
  };
}

/** A file that has its name once it is whole, so that half of it never passes for all of it. */
async function partialFile(path: string, existing: Stats | undefined): Promise<Target> {
  const place = existing ? realpathSync(path) : path;
  const partial = `${place}.partial`;
  rmSync(partial, { force: true }); // left by somebody who was killed
  const handle = await open(partial, 'wx', 0o600);
  if (existing) await handle.chmod(existing.mode & 0o777);
  const { ino } = await handle.stat();
  const isOurs = () => statOf(partial)?.ino === ino;
  return {
    ...ownFile(path, handle),
    finish: () =>
      guarded(path, async () => {
        await handle.sync(); // or a crash could leave the name without the content
        await handle.close();
        if (!isOurs()) throw new CommandProblem('refused', `Another export writes to ${path} as well.`);
        renameSync(partial, place);
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

async function guarded(path: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw asProblem(path, error, 'someFailed');
  }
}

function asProblem(path: string, error: unknown, exit: 'wrongUse' | 'someFailed'): unknown {
  if (typeof Object(error).syscall !== 'string') return error;
  return new CommandProblem(exit, unwritten(path, error as NodeJS.ErrnoException), { cause: error });
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a directory',
  ENOENT: 'its directory does not exist',
};

function unwritten(name: string, { code = 'unknown' }: NodeJS.ErrnoException): string {
  const reason = reasons[code];
  return `${name} cannot be written (${reason === undefined ? code : `${code}: ${reason}`}).`;
}
