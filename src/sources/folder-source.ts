import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, opendir, realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, sep } from 'node:path';
import { SourceFailed } from '../domain/feeds/source-problem.js';
import {
  type FeedSource,
  type FileVersion,
  isOlderVersion,
  isSameVersion,
  type OpenedSource,
} from '../domain/feeds/source-reader.js';
import { codeOf } from '../domain/webhooks/connection.js';
import { errorCodeOf } from './error-code.js';
import { hasWildcard, isReady, type ListedFile, listedFilesMax, matcherOf, newerOf } from './file-pattern.js';
import { timeOf } from './file-version.js';
import { readBytes } from './read-bytes.js';
import type { SourceContext } from './source-context.js';

export async function openFolder(
  { path }: Extract<FeedSource, { type: 'folder' }>,
  known: FileVersion | null,
  context: SourceContext,
): Promise<OpenedSource> {
  const { folderRoot, deadline } = context;
  if (folderRoot === undefined || !isInside(path)) throw new SourceFailed({ code: 'invalid_path' });
  const folder = await containerIn(folderRoot, dirname(path));
  const pattern = basename(path);
  const name = hasWildcard(pattern) ? await deadline.wait(newestIn(folder, pattern, context)) : pattern;
  const real = name === undefined ? undefined : await realPathIn(folderRoot, join(folder, name));
  if (name === undefined || real === undefined) return { status: 'missing' };
  const handle = await opened(real);
  deadline.onEnd(() => void handle.close().catch(() => {}));
  const stats = await handle.stat();
  const version = { name, etag: null, modifiedAt: timeOf(stats.mtimeMs), bytes: stats.size };
  if (isSameVersion(version, known) || (hasWildcard(pattern) && isOlderVersion(version, known))) {
    return { status: 'unchanged' };
  }
  refuse(stats, context);
  return { status: 'file', version, bytes: bytesOf(handle, stats, context) };
}

/** Both separators count on every system. */
function isInside(path: string): boolean {
  const segments = path.split(/[/\\]/);
  return !isAbsolute(path) && !segments.some((each) => each === '..' || each.includes('\0') || each === '');
}

/** The real path of a folder. */
async function containerIn(root: string, path: string): Promise<string> {
  const real = await realPathIn(root, join(root, path));
  if (real === undefined) throw new SourceFailed({ code: 'container_missing' });
  return real;
}

/** Undefined if it doesn't exist. Throws if a symbolic link leads out of the root. */
async function realPathIn(root: string, path: string): Promise<string | undefined> {
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(path)]);
    if (real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep)) return real;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(error);
  }
  throw new SourceFailed({ code: 'invalid_path' });
}

async function newestIn(
  folder: string,
  pattern: string,
  context: SourceContext,
): Promise<string | undefined> {
  const matches = matcherOf(pattern);
  let newest: ListedFile | undefined;
  let listed = 0;
  try {
    for await (const { name } of await opendir(folder)) {
      if (++listed > listedFilesMax) {
        throw new SourceFailed({ code: 'too_many_files', filesMax: listedFilesMax });
      }
      if (!matches(name)) continue;
      // A link whose target is missing, or a file that was deleted since.
      const stats = await stat(join(folder, name)).catch(() => undefined);
      if (!stats?.isFile() || isRecent(stats, context)) continue;
      const file = { name, bytes: stats.size, modifiedMs: stats.mtimeMs };
      if (isReady(file)) newest = newerOf(newest, file);
    }
  } catch (error) {
    throw error instanceof SourceFailed ? error : unreadable(error);
  }
  return newest?.name;
}

function isRecent({ mtimeMs }: Stats, { now, folderSettleSeconds }: SourceContext): boolean {
  return mtimeMs > now() - folderSettleSeconds * 1_000;
}

/** Not through a link, because the path was checked without one, and without waiting for the writer of a pipe. */
async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw unreadable(error);
  }
}

function refuse(stats: Stats, context: SourceContext): void {
  const { fileMaxBytes: bytesMax, folderSettleSeconds: seconds } = context;
  if (!stats.isFile()) throw new SourceFailed({ code: 'not_a_file' });
  if (stats.size === 0) throw new SourceFailed({ code: 'file_empty' });
  if (isRecent(stats, context)) throw new SourceFailed({ code: 'modified_recently', seconds });
  if (stats.size > bytesMax) throw new SourceFailed({ code: 'too_large', bytesMax });
}

function bytesOf(handle: FileHandle, before: Stats, context: SourceContext): AsyncIterable<Uint8Array> {
  const stream = handle.createReadStream({ autoClose: false });
  // The error also ends the iteration. Without a listener, it would end the process.
  stream.on('error', () => {});
  context.deadline.onEnd(() => stream.destroy());
  return readBytes(stream, {
    deadline: context.deadline,
    bytesMax: context.fileMaxBytes,
    problemOf: (error) => unreadable(error).problem,
    verify: async (bytes) => {
      const after = await handle.stat();
      const isSame = after.size === before.size && after.mtimeMs === before.mtimeMs;
      if (!isSame || bytes !== before.size) throw new SourceFailed({ code: 'changed_while_read' });
    },
  });
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error));
}

function unreadable(error: unknown): SourceFailed {
  const errorCode = errorCodeOf(error);
  if (errorCode === 'EACCES' || errorCode === 'EPERM') return new SourceFailed({ code: 'access_denied' });
  return new SourceFailed({ code: 'file_unreadable', errorCode });
}
