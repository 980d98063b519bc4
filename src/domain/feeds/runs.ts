import { v7 } from 'uuid';
import type { AccessEventKind } from '../../contract/access-events.js';
import type { FeedTrigger } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { type FeedRow, listFeedRows as readRows } from '../../storage/feeds/feed-rows.js';
import {
  approveFeedRun,
  cancelRunningRun,
  type FeedRun,
  insertFeedRun,
  listOpenRuns,
  listUnfinishedRuns,
  lockFeedRun,
  getFeedRun as readRun,
  listFeedRuns as readRuns,
  rejectFeedRun,
} from '../../storage/feeds/feed-runs.js';
import { getFeed, getFeedVersion, lockFeed, type StoredFeed } from '../../storage/feeds/feeds.js';
import { loadAttributes } from '../attributes/attribute-facts.js';
import { recordAccess } from '../audit/access-event.js';
import { type Actor, type Caller, maySeeSensitive, scopeProblem } from '../caller.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { usesSensitive } from './feed-settings.js';
import { busy, feedNotFound } from './feeds.js';
import { tellFollowers } from './inform.js';

export type { FeedRow, FeedRun };

export type FoundRun = Result<{ run: FeedRun }>;

/** Starts a run as soon as the feed is free. A dry run with the file of an earlier run replays it. */
export function startRun(
  database: Database,
  key: string,
  { isDryRun, replays }: { readonly isDryRun: boolean; readonly replays: string | undefined },
  caller: Caller,
): Promise<FoundRun> {
  return transaction(database, async (tx): Promise<FoundRun> => {
    const feed = await lockFeed(tx, key);
    if (!feed) return feedNotFound();
    const open = isDryRun ? undefined : await openRunOf(tx, key);
    if (open) return { ok: false, failure: busy(open) };
    const refused = (await writesHidden(tx, feed, caller)) ?? (await tooManyOpen(tx, key));
    if (refused) return { ok: false, failure: refused };
    const replayed = replays === undefined ? undefined : await found(tx, key, replays);
    if (replayed && !replayed.ok) return replayed;
    if (replayed && !replayed.run.hasFile) return { ok: false, failure: fileGone() };
    if (!replayed && feed.settings.source.type === 'upload') return { ok: false, failure: noSource() };
    const file = replayed ? { fileName: replayed.run.fileName, fileHash: replayed.run.fileHash } : {};
    const fileOf = replayed?.run.replays ?? replayed?.run.id ?? null;
    return insertRun(tx, feed, {
      trigger: 'request',
      isDryRun,
      replays: fileOf,
      caller,
      phase: fileOf ? 'plan' : 'fetch',
      ...file,
    });
  });
}

/** Runs that the schedule asks for. A feed with an open run waits for its next time. */
export async function startDueRun(tx: Executor, feed: StoredFeed, trigger: FeedTrigger): Promise<boolean> {
  const open = await openRunOf(tx, feed.key);
  if (open && open.state !== 'waiting') return false;
  const run = newRun(feed, { trigger, isDryRun: false, replays: null, caller: undefined, phase: 'fetch' });
  await insertFeedRun(tx, { ...run, dueUntil: feed.dueUntil });
  return true;
}

export async function getRun({ pool }: Database, key: string, id: string): Promise<FoundRun> {
  return found(pool, key, id);
}

export async function listRuns(
  { pool }: Database,
  key: string,
  filters: { readonly state?: string; readonly isDryRun?: boolean },
  page: PageRequest,
): Promise<Page<FeedRun>> {
  if (!(await getFeed(pool, key))) return feedNotFound();
  const list = { name: 'feed runs', filters: { key, ...filters }, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (before, limit) => readRuns(pool, key, { ...filters, before, limit }));
}

export async function listRows(
  { pool }: Database,
  key: string,
  id: string,
  kind: string | undefined,
  page: PageRequest,
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<Page<FeedRow>> {
  const run = await found(pool, key, id);
  if (!run.ok) return run;
  const list = {
    ...{ name: 'feed rows', filters: { id, kind } },
    isKey: (text: string) => /^\d{1,10}$/.test(text) && Number(text) <= placeMax,
    keyOf: ({ place }: FeedRow) => String(place),
  };
  const rows = await pageByKey(page, list, (after, limit) =>
    readRows(pool, id, { kind, after: after === undefined ? undefined : Number(after), limit }),
  );
  const settings =
    !rows.ok || maySeeSensitive(actor) ? undefined : await getFeedVersion(pool, key, run.run.version);
  if (!rows.ok || !settings) return rows;
  const { all } = await loadAttributes(pool);
  const hidden = new Set(all.flatMap(({ key, isSensitive }) => (isSensitive ? [`attributes.${key}`] : [])));
  const hidesDetails = usesSensitive(settings, all);
  return { ...rows, items: rows.items.map((row) => withoutHidden(row, hidden, hidesDetails)) };
}

/** That something has changed is visible to all, but not in which sensitive attribute. A detail may quote its value. */
function withoutHidden(row: FeedRow, hidden: ReadonlySet<string>, hidesDetails: boolean): FeedRow {
  const { changed, detail } = row;
  return {
    ...row,
    changed: changed?.filter((field) => !hidden.has(field)) ?? null,
    detail:
      hidesDetails && detail !== null ? 'The reason is not shown without attributes:sensitive.' : detail,
  };
}

/** Lets a run go on that waits. If every run needs approval, whoever uploaded the file can't approve it. */
export function approveRun(database: Database, key: string, id: string, caller: Caller): Promise<FoundRun> {
  return decide(database, key, id, async (tx, run, feed) => {
    if (run.state !== 'waiting') return conflict(run, 'It does not wait for approval.');
    const { kind, id: approver } = caller.actor;
    const isAuthor = run.startedBy?.kind === kind && run.startedBy.id === approver;
    if (isAuthor && feed.settings.rules.approval === 'always') return byAuthor();
    const denied = await hiddenFrom(tx, run, caller);
    if (denied) return denied;
    const open = await openRunOf(tx, key, id);
    if (open && open.state !== 'waiting') return busy(open);
    await approveFeedRun(tx, id, { kind, id: approver });
    await recordRun(tx, 'feed.run-approved', run, caller);
    return undefined;
  });
}

/** Rejects a run that waits, or stops one. What it did so far remains, and can be undone. */
export function cancelRun(database: Database, key: string, id: string, caller: Caller): Promise<FoundRun> {
  return decide(database, key, id, async (tx, run) => {
    if (run.state === 'running') await cancelRunningRun(tx, id);
    else if (run.state === 'waiting' || run.state === 'queued') {
      await rejectFeedRun(tx, id);
      await tellFollowers(tx, { ...run, state: 'cancelled' });
    } else return conflict(run, 'There is nothing to cancel.');
    await recordRun(tx, 'feed.run-cancelled', run, caller);
    return undefined;
  });
}

/** Records what somebody has decided about a run. */
export function recordRun(
  tx: Executor,
  kind: AccessEventKind,
  { feed, id }: Pick<FeedRun, 'feed' | 'id'>,
  caller: Caller,
): Promise<void> {
  return recordAccess(tx, kind, caller, { detail: { feed, runId: id } });
}

/** Nobody writes values, or finds out what they are, through a feed that may. */
export async function writesHidden(
  executor: Executor,
  { settings, writesSensitive }: StoredFeed,
  { actor }: Caller,
): Promise<Failure | undefined> {
  const problem = scopeProblem(actor, 'attributes:sensitive');
  if (!problem || writesSensitive) return problem;
  return usesSensitive(settings, (await loadAttributes(executor)).all) ? problem : undefined;
}

/** Each may have a large file. */
const openRunsMax = 5;

export async function tooManyOpen(executor: Executor, key: string): Promise<Failure | undefined> {
  const open = await listUnfinishedRuns(executor, key);
  const [latest] = open;
  return latest && open.length >= openRunsMax ? busy(latest) : undefined;
}

/** Nobody decides about values that they may not see. */
export async function hiddenFrom(
  tx: Executor,
  { feed, version }: FeedRun,
  { actor }: Caller,
): Promise<Failure | undefined> {
  const problem = scopeProblem(actor, 'attributes:sensitive');
  const settings = problem && (await getFeedVersion(tx, feed, version));
  if (!settings) return undefined;
  return usesSensitive(settings, (await loadAttributes(tx)).all) ? problem : undefined;
}

/** Of an integer in the database. */
const placeMax = 2_147_483_647;

interface NewRun {
  readonly trigger: FeedTrigger;
  readonly isDryRun: boolean;
  readonly replays: string | null;
  readonly caller: Caller | undefined;
  readonly phase: 'fetch' | 'plan';
  readonly fileName?: string | null;
  readonly fileHash?: string | null;
}

export function newRun({ key, version }: StoredFeed, { caller, ...run }: NewRun) {
  const startedBy = caller ? { kind: caller.actor.kind, id: caller.actor.id } : null;
  return { ...run, id: v7(), feed: key, version, startedBy };
}

async function insertRun(tx: Executor, feed: StoredFeed, given: NewRun): Promise<FoundRun> {
  const run = newRun(feed, given);
  await insertFeedRun(tx, run);
  return found(tx, feed.key, run.id);
}

/** The one that is under way, if any, rather than one that waits. */
export async function openRunOf(
  executor: Executor,
  key: string,
  except?: string,
): Promise<FeedRun | undefined> {
  const open = (await listOpenRuns(executor)).filter(({ feed, id }) => feed === key && id !== except);
  return open.find(({ state }) => state !== 'waiting') ?? open[0];
}

async function decide(
  database: Database,
  key: string,
  id: string,
  change: (tx: Executor, run: FeedRun, feed: StoredFeed) => Promise<Failure | undefined>,
): Promise<FoundRun> {
  return transaction(database, async (tx): Promise<FoundRun> => {
    const feed = await lockFeed(tx, key);
    if (!feed) return feedNotFound();
    const run = isSerial(id) ? await lockFeedRun(tx, key, id) : undefined;
    if (!run) return runNotFound();
    const problem = await change(tx, run, feed);
    return problem ? { ok: false, failure: problem } : found(tx, key, id);
  });
}

export async function found(executor: Executor, key: string, id: string): Promise<FoundRun> {
  const run = isSerial(id) ? await readRun(executor, key, id) : undefined;
  if (run) return { ok: true, run };
  return (await getFeed(executor, key)) ? runNotFound() : feedNotFound();
}

export function runNotFound(): { readonly ok: false; readonly failure: Failure } {
  return { ok: false, failure: failure('FEED_RUN_NOT_FOUND', 'The feed has no run with this ID.') };
}

export function conflict({ state }: FeedRun, hint: string): Failure {
  return failure('FEED_RUN_STATE_CONFLICT', `The run is ${state}. ${hint}`, { state });
}

function byAuthor(): Failure {
  return failure(
    'FEED_APPROVAL_BY_AUTHOR',
    'You uploaded the file, so someone else, with users:read and users:write, has to approve the run.',
  );
}

function fileGone(): Failure {
  return failure(
    'FEED_FILE_GONE',
    'The file of the run is no longer stored. Only runs with a file can be replayed.',
  );
}

function noSource(): Failure {
  return failure(
    'REQUEST_BODY_INVALID',
    'The files of this feed are uploaded. Upload one to start a run.',
    {},
  );
}
