import type { Database } from '../../storage/database.js';
import {
  failedLately,
  fileSeenBefore,
  type RunProgress,
  removeFeedRun,
} from '../../storage/feeds/feed-runs.js';
import { type StoredFeed, setDue, setFileVersion } from '../../storage/feeds/feeds.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { FeedFailed, RunEnded } from './feed-failed.js';
import { sourceOf } from './feed-settings.js';
import { openSecrets } from './feeds.js';
import type { RunSession } from './run-session.js';
import { nextAttempt } from './schedule.js';
import { mayPass, SourceFailed, type SourceProblem, sourceProblemText } from './source-problem.js';
import type { FileVersion, SourceReader } from './source-reader.js';
import { type StoredFile, storeFile } from './stored-file.js';

export interface FetchContext {
  readonly database: Database;
  readonly cipher: SecretCipher;
  readonly sources: SourceReader;
  readonly feedFileMaxBytes: number;
}

type Fetched = 'fetched' | 'later' | RunProgress;

/**
 * Stores the file of a run that has none yet. Returns what ends the run, `later` if it is put off because there is no new
 * file or the source is down, or `fetched`.
 */
export async function fetchFile(
  context: FetchContext,
  session: RunSession,
  feed: StoredFeed,
): Promise<Fetched> {
  try {
    return await fetchNow(context, session, feed);
  } catch (error) {
    const source = error instanceof SourceFailed ? error.problem : undefined;
    if (source?.code === 'stopped') throw new RunEnded('stopping'); // the source is not to blame
    const failed = source ? sourceFailed(source) : error;
    if (failed instanceof FeedFailed && (await isTriedLater(context.database, session, failed, source))) {
      return 'later';
    }
    throw failed;
  }
}

/** A run that is due waits for its source as for its file. One that looks for new files fails once a day, not at each look. */
async function isTriedLater(
  database: Database,
  session: RunSession,
  { problem }: FeedFailed,
  source: SourceProblem | undefined,
): Promise<boolean> {
  const { run } = session;
  switch (run.trigger) {
    case 'schedule':
      return source !== undefined && mayPass(source) && putOff(session);
    case 'newFile': {
      const isKnown =
        source?.code === 'modified_recently' || (await failedLately(database.pool, run, problem));
      return isKnown && putOff(session);
    }
    default:
      return false;
  }
}

async function fetchNow(context: FetchContext, session: RunSession, feed: StoredFeed): Promise<Fetched> {
  const { run } = session;
  const isScheduled = run.trigger === 'schedule' || run.trigger === 'newFile';
  const opened = await openSource(context, session, feed);
  if (opened.status === 'failed') throw new SourceFailed(opened.problem);
  if (opened.status !== 'file') {
    if (isScheduled && (await putOff(session))) return 'later';
    if (opened.status === 'unchanged') return { state: 'unchanged' };
    throw new FeedFailed('SOURCE_FILE_MISSING', 'There is no file.');
  }
  const stored = await storeBytes(context, session, opened.bytes);
  const file = { fileName: opened.version.name, fileHash: stored.hash, fileVersion: opened.version };
  const seen = await fileSeenBefore(context.database.pool, run, stored.hash);
  // A run that somebody asks for reads the file anyway: users may have changed.
  if (isScheduled && seen?.isLast && seen.wasClean && seen.version === run.version) {
    await session.write(file, (tx) => setFileVersion(tx, feed.key, opened.version));
    return { state: 'unchanged' };
  }
  await session.write({ ...file, phase: 'plan' }, async (tx) => {
    if (!run.isDryRun) await setFileVersion(tx, feed.key, opened.version);
  });
  return 'fetched';
}

async function openSource({ cipher, sources }: FetchContext, session: RunSession, feed: StoredFeed) {
  const source = sourceOf(feed.settings.source);
  if (source.type === 'upload') {
    throw new FeedFailed(
      'SOURCE_IS_UPLOAD',
      'The files of this feed are uploaded. Upload one to start a run.',
    );
  }
  // The secret is the current one, and may be for another server than that of earlier settings.
  if (feed.secret && session.run.version !== feed.version) {
    throw new FeedFailed('SETTINGS_CHANGED', 'The settings of the feed have changed since. Run it again.');
  }
  const secrets = openSecrets(cipher, feed);
  if (feed.secret && !secrets) {
    throw new FeedFailed('SECRET_LOST', 'The secret of the feed cannot be decrypted. Enter it again.');
  }
  const { secret = null, passphrase = null } = secrets ?? {};
  // What somebody asks for, and the run that is due, is read even if it is the known file.
  const known = session.run.trigger === 'newFile' ? (feed.fileVersion as FileVersion | null) : null;
  return sources.open(source, { secret, passphrase }, known, session.signal);
}

async function storeBytes(
  { database, feedFileMaxBytes }: FetchContext,
  session: RunSession,
  bytes: AsyncIterable<Uint8Array>,
): Promise<StoredFile> {
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      session.checkpoint();
      yield chunk;
    }
  }
  return storeFile(database, session.run.id, watched(), feedFileMaxBytes);
}

function sourceFailed(source: SourceProblem): FeedFailed {
  return new FeedFailed('SOURCE_FAILED', sourceProblemText(source), { source });
}

/** A run that only found no new file leaves no trace, unless it has waited for as long as it may. */
async function putOff(session: RunSession): Promise<boolean> {
  const { id, feed, trigger, dueUntil } = session.run;
  const next = nextAttempt(new Date(), dueUntil);
  if (trigger === 'schedule' && !next) return false;
  await session.write({ phase: 'fetch' }, async (tx) => {
    await removeFeedRun(tx, id);
    if (trigger === 'schedule' && next) {
      await setDue(tx, feed, { dueAt: next.toISOString(), dueUntil });
    }
  });
  return true;
}
