import type { SFTPWrapper, Stats } from 'ssh2';
import { SourceFailed, type SourceProblem } from '../domain/feeds/source-problem.js';
import {
  type FileVersion,
  isOlderVersion,
  isSameVersion,
  type OpenedSource,
  type SourceSecret,
} from '../domain/feeds/source-reader.js';
import { hasWildcard, isReady, type ListedFile, listedFilesMax, matcherOf, newerOf } from './file-pattern.js';
import { timeOf } from './file-version.js';
import { readBytes } from './read-bytes.js';
import { connectSftp, type SftpSource } from './sftp-connection.js';
import type { SourceContext } from './source-context.js';

/** What servers accept at least. */
const readMaxBytes = 32 * 1024;
/** Reads under way at the same time, because each takes a round trip. */
const readsAhead = 8;

export async function openSftp(
  source: SftpSource,
  secret: SourceSecret,
  known: FileVersion | null,
  context: SourceContext,
): Promise<OpenedSource> {
  const { deadline, fileMaxBytes: bytesMax } = context;
  const sftp = await connectSftp(source, secret, context);
  const { folder, pattern } = partsOf(source.path);
  const name = hasWildcard(pattern) ? await newestIn(sftp, folder, pattern, context) : pattern;
  if (name === undefined) return { status: 'missing' };
  const path = folder + name;
  const before = await statsOf(sftp, path, context);
  if (before === undefined) return { status: 'missing' };
  const { size } = before;
  if (!Number.isInteger(size)) throw incompleteAttributes();
  const version = { name, etag: null, modifiedAt: timeOf(modifiedMsOf(before)), bytes: size };
  if (isSameVersion(version, known) || (hasWildcard(pattern) && isOlderVersion(version, known))) {
    return { status: 'unchanged' };
  }
  if (!before.isFile()) throw new SourceFailed({ code: 'not_a_file' });
  if (size > bytesMax) throw new SourceFailed({ code: 'too_large', bytesMax });
  const handle = await deadline.wait(
    called<Buffer>((done) => sftp.open(path, 'r', done)).catch((error) => Promise.reject(failureOf(error))),
  );
  const verify = async (bytes: number) => {
    const after = await statsOf(sftp, path, context);
    const isSame = after?.size === size && after.mtime === before.mtime && bytes === size;
    if (!isSame) throw new SourceFailed({ code: 'changed_while_read' });
  };
  const stream = chunksOf(sftp, handle);
  return {
    status: 'file',
    version,
    bytes: readBytes(stream, { deadline, bytesMax, problemOf: readProblem, verify }),
  };
}

/** The folder with its slash, and the last segment. */
function partsOf(path: string): { folder: string; pattern: string } {
  const end = path.lastIndexOf('/') + 1;
  const [folder, pattern] = [path.slice(0, end), path.slice(end)];
  if (pattern === '' || path.includes('\0')) throw new SourceFailed({ code: 'not_a_file' });
  return { folder, pattern };
}

/** Batch by batch. Only the newest file so far is kept. */
async function newestIn(
  sftp: SFTPWrapper,
  folder: string,
  pattern: string,
  { deadline }: SourceContext,
): Promise<string | undefined> {
  const matches = matcherOf(pattern);
  const handle = await deadline.wait(openFolder(sftp, folder || '.'));
  let newest: ListedFile | undefined;
  for (let listed = 0; ; ) {
    const batch = await deadline.wait(nextBatch(sftp, handle));
    if (batch === undefined) return newest?.name;
    listed += Math.max(batch.length, 1);
    if (listed > listedFilesMax) throw new SourceFailed({ code: 'too_many_files', filesMax: listedFilesMax });
    for (const { filename: name, attrs } of batch) {
      deadline.received(name.length);
      const isFolder = (attrs.mode & fileTypeMask) === folderType;
      if (isFolder || !matches(name)) continue;
      const file = { name, bytes: attrs.size, modifiedMs: modifiedMsOf(attrs) };
      // Nobody can tell which file is the newest.
      if (Number.isNaN(file.modifiedMs)) throw incompleteAttributes();
      if (isReady(file)) newest = newerOf(newest, file);
    }
  }
}

/** The bits of a mode that tell a folder. */
const fileTypeMask = 0o170_000;
const folderType = 0o040_000;

async function openFolder(sftp: SFTPWrapper, folder: string): Promise<Buffer> {
  try {
    return await called<Buffer>((done) => sftp.opendir(folder, done));
  } catch (error) {
    throw isMissing(error) ? new SourceFailed({ code: 'container_missing' }) : failureOf(error);
  }
}

interface Entry {
  readonly filename: string;
  readonly attrs: { readonly size: number; readonly mtime: number; readonly mode: number };
}

/** Undefined after the last one. */
async function nextBatch(sftp: SFTPWrapper, handle: Buffer): Promise<readonly Entry[] | undefined> {
  try {
    const batch = await called<readonly Entry[] | undefined>((done) => sftp.readdir(handle, done));
    return batch ?? [];
  } catch (error) {
    if (statusOf(error) === status.endOfFile) return undefined;
    throw failureOf(error);
  }
}

/** Undefined if there is no such file. */
async function statsOf(
  sftp: SFTPWrapper,
  path: string,
  { deadline }: SourceContext,
): Promise<Stats | undefined> {
  try {
    return await deadline.wait(called<Stats>((done) => sftp.stat(path, done)));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw failureOf(error);
  }
}

/** In order, with several reads under way. */
async function* chunksOf(sftp: SFTPWrapper, handle: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  let position = 0;
  let size = readMaxBytes;
  const next = () => {
    const reading = readAt(sftp, handle, position, size);
    // Those that nobody waits for any more fail with the connection.
    reading.catch(() => {});
    position += size;
    return reading;
  };
  const ahead = Array.from({ length: readsAhead }, next);
  for (;;) {
    const chunk = await ahead.shift();
    if (chunk === undefined || chunk.length === 0) return;
    yield chunk;
    // The end of the file, or a server that returns less: what follows is read again, in this size.
    if (chunk.length < size) {
      position -= size * (ahead.length + 1) - chunk.length;
      size = chunk.length;
      ahead.length = 0;
    }
    while (ahead.length < readsAhead) ahead.push(next());
  }
}

/** Empty at the end of the file. */
async function readAt(
  sftp: SFTPWrapper,
  handle: Buffer,
  position: number,
  size: number,
): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafeSlow(size);
  try {
    const bytes = await called<number>((done) => sftp.read(handle, buffer, 0, size, position, done));
    return buffer.subarray(0, bytes);
  } catch (error) {
    if (statusOf(error) === status.endOfFile) return buffer.subarray(0, 0);
    throw error;
  }
}

function called<T>(call: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, value) => (error ? reject(error) : resolve(value)));
  });
}

/** Servers need not tell sizes and times. */
function incompleteAttributes(): SourceFailed {
  return new SourceFailed({ code: 'invalid_response', errorCode: null });
}

function modifiedMsOf({ mtime }: { readonly mtime: number }): number {
  return mtime * 1_000;
}

/** Status codes of the protocol. */
const status = { endOfFile: 1, noSuchFile: 2, permissionDenied: 3 } as const;

function statusOf(error: unknown): unknown {
  return (Object(error) as { code?: unknown }).code;
}

function isMissing(error: unknown): boolean {
  return statusOf(error) === status.noSuchFile;
}

function failureOf(error: unknown): SourceFailed {
  if (error instanceof SourceFailed) return error;
  const isDenied = statusOf(error) === status.permissionDenied;
  return new SourceFailed(
    isDenied ? { code: 'access_denied' } : { code: 'file_unreadable', errorCode: null },
  );
}

/** A status of the server, or the end of the connection. */
function readProblem(error: unknown): SourceProblem {
  return typeof statusOf(error) === 'number' ? failureOf(error).problem : { code: 'ended_early' };
}
