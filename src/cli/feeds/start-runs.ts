import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { isRollcallError, type RequestBody, type Rollcall, uploadFeedFile } from '#client';
import { host, pathOf } from '../host.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { connectInteractive } from '../session/connect.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import { feedOf } from './feeds.js';
import { reportRun, type WaitOption } from './follow-run.js';
import type { FeedRun } from './format-run.js';

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
  const run = await startRun(rollcall, key, { dryRun: options.dryRun === true });
  return reportRun(rollcall, run, options);
}

/** `rollcall feeds replay KEY RUN` */
export async function replayRun(key: string, run: string, options: WaitOption): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const replay = await startRun(rollcall, key, { dryRun: true, replay: run });
  return reportRun(rollcall, replay, options);
}

async function startRun(
  rollcall: Rollcall,
  key: string,
  body: RequestBody<'startFeedRun'>,
): Promise<FeedRun> {
  try {
    return (await rollcall.call('startFeedRun', { path: { key }, body })).body.data;
  } catch (error) {
    if (!isRollcallError(error, 'FEED_BUSY')) throw error;
    const problem = `Could not run the feed: ${error.detail} To see the run: rollcall feeds show ${key}`;
    throw new CommandProblem('refused', problem, { cause: error });
  }
}

/** `rollcall feeds upload KEY FILE` */
export async function uploadToFeed(key: string, file: string, options: StartOptions): Promise<CommandResult> {
  const rollcall = connectInteractive();
  const opened = await openFile(file);
  const { name: fileName, kilobytes } = opened;
  const total = kilobytes === undefined ? undefined : { count: kilobytes, isExact: true };
  const progress = createProgress({ doing: 'Uploading', total, unit: 'kB' });
  try {
    await feedOf(rollcall, key); // a wrong key or login is reported before the file is sent
    const bytes = Readable.toWeb(Readable.from(measured(opened.read(), progress)));
    // Node's type of streams is another one than that of fetch.
    const body = bytes as ReadableStream<Uint8Array>;
    const run = await uploadFeedFile(rollcall, key, body, { fileName, dryRun: options.dryRun });
    progress.end();
    return await reportRun(rollcall, run, options);
  } finally {
    progress.end();
    await opened.close();
  }
}

interface OpenedFile {
  /** Undefined for stdin. */
  readonly name: string | undefined;
  readonly kilobytes: number | undefined;
  read(): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

async function openFile(file: string): Promise<OpenedFile> {
  if (file === '-') {
    return { name: undefined, kilobytes: undefined, read: () => host().stdin, close: async () => {} };
  }
  const path = pathOf(file);
  try {
    const handle = await open(path);
    const found = await handle.stat();
    if (found.isDirectory()) {
      await handle.close();
      throw Object.assign(new Error('It is a directory.'), { code: 'EISDIR' });
    }
    return {
      name: basename(path),
      kilobytes: found.isFile() ? Math.ceil(found.size / 1_000) : undefined,
      read: () => handle.createReadStream(),
      close: () => handle.close(),
    };
  } catch (error) {
    throw unreadable(file, Object(error).code);
  }
}

function unreadable(file: string, code: string | undefined): CommandProblem {
  const reasons: Readonly<Record<string, string>> = { ENOENT: 'does not exist', EISDIR: 'is a directory' };
  const reason = reasons[code ?? ''] ?? `cannot be read (${code})`;
  return new CommandProblem(
    'wrongUse',
    `${file} ${reason}. Give the path of a CSV, XLSX, JSON or NDJSON file, or - for stdin.`,
  );
}

async function* measured(bytes: AsyncIterable<Uint8Array>, progress: Progress): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of bytes) {
    sent += chunk.byteLength;
    progress.at(Math.ceil(sent / 1_000));
    yield chunk;
  }
}
