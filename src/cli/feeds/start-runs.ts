import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { isRollcallError, uploadFeedFile } from '#client';
import { host, pathOf } from '../host.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import { feedOf } from './feeds.js';
import { reportRun, type WaitOption } from './follow-run.js';

interface StartOptions extends WaitOption {
  readonly dryRun?: boolean | undefined;
}

/** `rollcall feeds run KEY` */
export async function runFeed(key: string, options: StartOptions): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const { source } = await feedOf(rollcall, key);
  if (source.type === 'upload') {
    throw new CommandProblem(
      'refused',
      `The files of ${key} are uploaded. Upload one to start a run: rollcall feeds upload ${key} FILE`,
    );
  }
  try {
    const body = { dryRun: options.dryRun === true };
    const { data: run } = (await rollcall.call('startFeedRun', { path: { key }, body })).body;
    return await reportRun(rollcall, run, options);
  } catch (error) {
    if (!isRollcallError(error, 'FEED_BUSY')) throw error;
    const problem = `Could not run the feed: ${error.detail} To see the run: rollcall feeds show ${key}`;
    throw new CommandProblem('refused', problem, { cause: error });
  }
}

/** `rollcall feeds replay KEY RUN` */
export async function replayRun(key: string, run: string, options: WaitOption): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const body = { dryRun: true, replay: run };
  const { data: replay } = (await rollcall.call('startFeedRun', { path: { key }, body })).body;
  return reportRun(rollcall, replay, options);
}

/** `rollcall feeds upload KEY FILE` */
export async function uploadToFeed(key: string, file: string, options: StartOptions): Promise<CommandResult> {
  const opened = await openFile(file);
  const rollcall = connectInteractive();
  await feedOf(rollcall, key); // a wrong key or login is reported before the file is sent
  const { dryRun } = options;
  const progress = createProgress({
    doing: 'Uploading',
    total: opened.kilobytes === undefined ? undefined : { count: opened.kilobytes, isExact: true },
    unit: 'kB',
  });
  try {
    const bytes = Readable.toWeb(
      Readable.from(measured(opened.bytes, progress)),
    ) as ReadableStream<Uint8Array>; // node's own type of the same
    const run = await uploadFeedFile(rollcall, key, bytes, { fileName: opened.name, dryRun });
    progress.end();
    return await reportRun(rollcall, run, options);
  } finally {
    progress.end();
  }
}

interface OpenedFile {
  /** Undefined for stdin. */
  readonly name: string | undefined;
  readonly kilobytes: number | undefined;
  readonly bytes: AsyncIterable<Uint8Array>;
}

async function openFile(file: string): Promise<OpenedFile> {
  if (file === '-') return { name: undefined, kilobytes: undefined, bytes: host().stdin };
  const path = pathOf(file);
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw Object.assign(new Error('a directory'), { code: 'EISDIR' });
    const bytes = createReadStream(path);
    return { name: basename(path), kilobytes: Math.ceil(found.size / 1_000), bytes };
  } catch (error) {
    const { code } = Object(error) as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT'
        ? 'does not exist'
        : code === 'EISDIR'
          ? 'is a directory'
          : `cannot be read (${code})`;
    const advice = 'Give the path of a CSV, XLSX, JSON or NDJSON file, or - for stdin.';
    throw new CommandProblem('wrongUse', `${file} ${reason}. ${advice}`);
  }
}

async function* measured(bytes: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of bytes) {
    sent += chunk.byteLength;
    progress.at(Math.ceil(sent / 1_000));
    yield chunk;
  }
}
