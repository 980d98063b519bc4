import { type Failure, failure } from '../../contract/errors.js';
import { type Database, transaction } from '../../storage/database.js';
import { completeUpload, insertFeedRun, removeFeedRun } from '../../storage/feeds/feed-runs.js';
import { lockFeed } from '../../storage/feeds/feeds.js';
import type { Caller } from '../caller.js';
import type { Result } from '../result.js';
import { FeedFailed } from './feed-failed.js';
import { feedNotFound } from './feeds.js';
import { supersedeWaiting } from './inform.js';
import { type FoundRun, found, newRun, recordRun, tooManyOpen, writesHidden } from './runs.js';
import { storeFile } from './stored-file.js';

export interface Upload {
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
  readonly isDryRun: boolean;
}

/** Stores an uploaded file and starts a run with it. A run that waits is replaced by the newer file. */
export async function uploadFile(
  { database, feedFileMaxBytes }: { readonly database: Database; readonly feedFileMaxBytes: number },
  key: string,
  { name, bytes, isDryRun }: Upload,
  caller: Caller,
): Promise<FoundRun> {
  const begun = await begin(database, key, { name, isDryRun }, caller);
  if (!begun.ok) return begun;
  const { id } = begun;
  try {
    const { hash } = await storeFile(database, id, bytes, feedFileMaxBytes);
    return await transaction(database, async (tx): Promise<FoundRun> => {
      if (!(await lockFeed(tx, key))) return feedNotFound();
      await completeUpload(tx, id, hash);
      if (!isDryRun) await supersedeWaiting(tx, { id, feed: key });
      await recordRun(tx, 'feed.file-uploaded', { id, feed: key }, caller);
      return found(tx, key, id);
    });
  } catch (error) {
    await removeFeedRun(database.pool, id).catch(() => {});
    if (error instanceof FeedFailed) return { ok: false, failure: unusable(error) };
    throw error;
  }
}

/** A run to which the parts of the file belong. Nobody sees or starts it before the file is complete. */
function begin(
  database: Database,
  key: string,
  { name, isDryRun }: Pick<Upload, 'name' | 'isDryRun'>,
  caller: Caller,
): Promise<Result<{ id: string }>> {
  return transaction(database, async (tx): Promise<Result<{ id: string }>> => {
    const feed = await lockFeed(tx, key);
    if (!feed) return feedNotFound();
    const refused = (await writesHidden(tx, feed, caller)) ?? (await tooManyOpen(tx, key));
    if (refused) return { ok: false, failure: refused };
    const run = newRun(feed, { trigger: 'upload', isDryRun, replays: null, caller, phase: 'plan' });
    await insertFeedRun(tx, { ...run, fileName: name }, 'uploading');
    return { ok: true, id: run.id };
  });
}

function unusable({ message }: FeedFailed): Failure {
  return failure('REQUEST_BODY_INVALID', message, {});
}
