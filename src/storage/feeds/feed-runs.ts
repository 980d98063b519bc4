import type { FeedRunPhase, FeedRunState, FeedTrigger } from '../../contract/feeds.js';
import type { CallActor } from '../changes/calls.js';
import type { Executor } from '../database.js';
import { textArray, whereAll } from '../sql.js';

/** How many rows had which outcome, and how many existing users changed in which field. */
export interface StoredCounts {
  readonly kinds: Readonly<Record<string, number>>;
  readonly changed: Readonly<Record<string, number>>;
  /** In which field a value became empty. */
  readonly emptied: Readonly<Record<string, number>>;
}

/** Something to tell people: data for programs, and a sentence. */
export interface StoredFinding {
  readonly code: string;
  readonly text: string;
}

export interface FeedRun {
  readonly id: string;
  readonly feed: string;
  readonly state: FeedRunState;
  readonly phase: FeedRunPhase;
  readonly trigger: FeedTrigger;
  readonly claim: number;
  /** Claims since the last progress whose node has not been heard of again. */
  readonly crashes: number;
  readonly version: number;
  readonly isDryRun: boolean;
  readonly isCancelled: boolean;
  readonly replays: string | null;
  readonly startedBy: CallActor | null;
  readonly approvedBy: CallActor | null;
  readonly undoneBy: CallActor | null;
  readonly undoerScopes: readonly string[] | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly finishedAt: string | null;
  readonly approvedAt: string | null;
  /** Until when it may wait for its file. */
  readonly dueUntil: string | null;
  readonly fileName: string | null;
  readonly fileHash: string | null;
  readonly fileVersion: unknown;
  readonly hasFile: boolean;
  readonly rows: number | null;
  readonly done: number;
  readonly counts: StoredCounts;
  /** What it would do, as it was before the first write. */
  readonly profile: unknown;
  readonly findings: readonly StoredFinding[];
  readonly problem: StoredFinding | null;
}

type Times = 'createdAt' | 'startedAt' | 'finishedAt' | 'approvedAt' | 'dueUntil';
type RunRow = Omit<FeedRun, Times | 'findings'> & {
  readonly findings: readonly StoredFinding[] | null;
} & { readonly [Name in Times]: Date | null };

const actor = (who: string) =>
  `CASE WHEN ${who}_id IS NOT NULL THEN json_build_object('kind', ${who}_kind, 'id', ${who}_id) END`;

const columns = `id, feed_key AS feed, state, phase, trigger, claim, crashes, version, is_dry_run AS "isDryRun",
  is_cancelled AS "isCancelled", replays, ${actor('actor')} AS "startedBy", ${actor('approver')} AS "approvedBy",
  ${actor('undoer')} AS "undoneBy", undoer_scopes AS "undoerScopes",
  created_at AS "createdAt", started_at AS "startedAt", finished_at AS "finishedAt", approved_at AS "approvedAt",
  due_until AS "dueUntil",
  file_name AS "fileName", file_hash AS "fileHash", file_version AS "fileVersion",
  EXISTS (SELECT FROM feed_files WHERE run_id = coalesce(replays, feed_runs.id)) AS "hasFile", rows, done, counts, profile,
  findings, problem`;

function runOf(row: RunRow): FeedRun {
  const text = (time: Date | null) => time?.toISOString() ?? null;
  return {
    ...row,
    createdAt: text(row.createdAt) ?? '',
    startedAt: text(row.startedAt),
    finishedAt: text(row.finishedAt),
    approvedAt: text(row.approvedAt),
    dueUntil: text(row.dueUntil),
    findings: row.findings ?? [],
  };
}

export async function insertFeedRun(
  tx: Executor,
  run: Pick<FeedRun, 'id' | 'feed' | 'trigger' | 'version' | 'isDryRun' | 'replays' | 'startedBy' | 'phase'> &
    Partial<Pick<FeedRun, 'fileName' | 'fileHash' | 'dueUntil'>>,
  /** Nobody sees a run whose file is being uploaded, until `completeUpload`. */
  state: 'queued' | 'uploading' = 'queued',
): Promise<void> {
  const { id, feed, trigger, version, isDryRun, replays, startedBy, phase } = run;
  await tx.query(
    `INSERT INTO feed_runs (id, feed_key, trigger, version, is_dry_run, replays, actor_kind, actor_id, phase, file_name,
       file_hash, due_until, state) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`,
    [
      ...[
        id,
        feed,
        trigger,
        version,
        isDryRun,
        replays,
        startedBy?.kind ?? null,
        startedBy?.id ?? null,
        phase,
      ],
      ...[run.fileName ?? null, run.fileHash ?? null, run.dueUntil ?? null, state],
    ],
  );
}

const isVisible = `state <> 'uploading'`;

export async function getFeedRun(executor: Executor, feed: string, id: string): Promise<FeedRun | undefined> {
  const { rows } = await executor.query<RunRow>(
    `SELECT ${columns} FROM feed_runs WHERE feed_key = $1 AND id = $2 AND ${isVisible}`,
    [feed, id],
  );
  return rows[0] && runOf(rows[0]);
}

export async function lockFeedRun(tx: Executor, feed: string, id: string): Promise<FeedRun | undefined> {
  await tx.query('SELECT FROM feed_runs WHERE feed_key = $1 AND id = $2 FOR UPDATE', [feed, id]);
  return getFeedRun(tx, feed, id);
}

/** Newest first. */
export async function listFeedRuns(
  executor: Executor,
  feed: string,
  page: {
    readonly before?: string | undefined;
    readonly limit: number;
    readonly state?: string | undefined;
    readonly isDryRun?: boolean | undefined;
  },
): Promise<FeedRun[]> {
  const { before, limit, state, isDryRun } = page;
  const { where, values } = whereAll({ 'id < ?': before, 'state = ?': state, 'is_dry_run = ?': isDryRun }, [
    feed,
    limit,
  ]);
  const { rows } = await executor.query<RunRow>(
    `SELECT ${columns} FROM feed_runs WHERE feed_key = $1 AND ${isVisible} AND ${where} ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows.map(runOf);
}

/** The runs that have not ended, newest first. */
export async function listOpenRuns(executor: Executor): Promise<FeedRun[]> {
  const { rows } = await executor.query<RunRow>(
    `SELECT ${columns} FROM feed_runs WHERE state IN ('queued', 'running', 'waiting', 'undoing') AND NOT is_dry_run
     ORDER BY id DESC`,
  );
  return rows.map(runOf);
}

/** Also dry runs. A run whose file is being uploaded counts as queued. Newest first. */
export async function listUnfinishedRuns(
  executor: Executor,
  feed: string,
): Promise<Pick<FeedRun, 'id' | 'state'>[]> {
  const { rows } = await executor.query<Pick<FeedRun, 'id' | 'state'>>(
    `SELECT id, CASE state WHEN 'uploading' THEN 'queued' ELSE state END AS state FROM feed_runs
     WHERE feed_key = $1 AND (state IN ('queued', 'running', 'undoing')
       OR state = 'uploading' AND created_at > now() - interval '1 hour')
     ORDER BY id DESC`,
    [feed],
  );
  return rows;
}

/** The last runs of each feed that ended, newest first, without those that only looked. */
export async function listRecentRuns(executor: Executor, perFeed: number): Promise<FeedRun[]> {
  const { rows } = await executor.query<RunRow>(
    `SELECT recent.* FROM feeds CROSS JOIN LATERAL (
       SELECT ${columns} FROM feed_runs
       WHERE feed_key = feeds.key AND NOT is_dry_run AND state NOT IN ('uploading', 'queued', 'running', 'waiting', 'superseded')
       ORDER BY id DESC LIMIT $1) AS recent`,
    [perFeed],
  );
  return rows.map(runOf);
}

/** A run that counts as evidence of what is usual. */
export interface PastFeedRun {
  readonly id: string;
  readonly at: Date;
  readonly profile: unknown;
  readonly fileHash: string | null;
  readonly wasApproved: boolean;
}

/** The last runs that were applied, newest first. */
export async function listAppliedRuns(
  executor: Executor,
  feed: string,
  limit: number,
): Promise<PastFeedRun[]> {
  const { rows } = await executor.query<PastFeedRun>(
    `SELECT id, created_at AS at, profile, file_hash AS "fileHash", approved_at IS NOT NULL AS "wasApproved"
     FROM feed_runs WHERE feed_key = $1 AND NOT is_dry_run AND state = 'done' AND profile IS NOT NULL
     ORDER BY id DESC LIMIT $2`,
    [feed, limit],
  );
  return rows;
}

/** The oldest run that nobody works on, of a feed none of whose runs is under way. Returns it with a new claim. */
export async function claimFeedRun(tx: Executor, leaseMs: number): Promise<FeedRun | undefined> {
  const { rows } = await tx.query<RunRow>(
    `UPDATE feed_runs SET claim = claim + 1, crashes = crashes + 1, claimed_until = now() + make_interval(secs => $1::float8 / 1000),
       state = CASE WHEN state = 'undoing' THEN state ELSE 'running' END, started_at = coalesce(started_at, now())
     WHERE id = (
       SELECT id FROM feed_runs AS next
       WHERE state IN ('queued', 'running', 'undoing') AND (claimed_until IS NULL OR claimed_until <= now())
         AND (is_dry_run OR NOT EXISTS (
           SELECT FROM feed_runs AS other WHERE other.feed_key = next.feed_key AND other.id <> next.id
             AND other.state IN ('running', 'undoing') AND NOT other.is_dry_run))
       ORDER BY state = 'queued', is_dry_run, id LIMIT 1 FOR UPDATE SKIP LOCKED)
     RETURNING ${columns}`,
    [leaseMs],
  );
  return rows[0] && runOf(rows[0]);
}

type Claimed = Pick<FeedRun, 'id' | 'claim'>;

/** Whether the run still belongs to the node that asks, or somebody has asked it to stop. */
type Hold = 'held' | 'cancelled' | 'lost';

export async function renewFeedRun(
  executor: Executor,
  { id, claim }: Claimed,
  leaseMs: number,
): Promise<Hold> {
  const { rows } = await executor.query<{ isCancelled: boolean }>(
    `UPDATE feed_runs SET claimed_until = now() + make_interval(secs => $3::float8 / 1000)
     WHERE id = $1 AND claim = $2 AND state IN ('running', 'undoing') RETURNING is_cancelled AS "isCancelled"`,
    [id, claim, leaseMs],
  );
  return holdOf(rows);
}

function holdOf([run]: readonly { readonly isCancelled: boolean }[]): Hold {
  if (!run) return 'lost';
  return run.isCancelled ? 'cancelled' : 'held';
}

/** The node stops; the run goes on elsewhere. */
export async function releaseFeedRun(executor: Executor, { id, claim }: Claimed): Promise<void> {
  await executor.query(
    `UPDATE feed_runs SET claimed_until = NULL, crashes = crashes - 1
     WHERE id = $1 AND claim = $2 AND state IN ('running', 'undoing')`,
    [id, claim],
  );
}

/** The node has met an outage, but lives. The run goes on when the claim ends. */
export async function noteOutage(executor: Executor, { id, claim }: Claimed): Promise<void> {
  await executor.query('UPDATE feed_runs SET crashes = crashes - 1 WHERE id = $1 AND claim = $2', [
    id,
    claim,
  ]);
}

/** What a node may set while the claim is its own. */
export type RunProgress = Partial<
  Pick<
    FeedRun,
    | 'state'
    | 'phase'
    | 'fileName'
    | 'fileHash'
    | 'fileVersion'
    | 'rows'
    | 'done'
    | 'counts'
    | 'profile'
    | 'findings'
    | 'problem'
  >
> & { readonly mentions?: Buffer | null };

const columnOf: Readonly<Record<keyof RunProgress, string>> = {
  state: 'state',
  phase: 'phase',
  fileName: 'file_name',
  fileHash: 'file_hash',
  fileVersion: 'file_version',
  rows: 'rows',
  done: 'done',
  counts: 'counts',
  profile: 'profile',
  findings: 'findings',
  problem: 'problem',
  mentions: 'mentions',
};
const jsonColumns: ReadonlySet<string> = new Set(['fileVersion', 'counts', 'profile', 'findings', 'problem']);
const endStates: ReadonlySet<string> = new Set([
  'done',
  'unchanged',
  'failed',
  'stopped',
  'cancelled',
  'superseded',
  'undone',
]);

export async function updateFeedRun(
  tx: Executor,
  { id, claim }: Claimed,
  progress: RunProgress,
): Promise<Hold> {
  const values: unknown[] = [id, claim];
  const parts = (Object.entries(progress) as [keyof RunProgress, unknown][]).map(([name, value]) => {
    values.push(jsonColumns.has(name) && value != null ? JSON.stringify(value) : value);
    return `${columnOf[name]} = $${values.length}`;
  });
  const { state, phase, counts } = progress;
  // What a run does before it writes is done again from the beginning.
  if (phase !== undefined)
    parts.push(`crashes = CASE WHEN phase = $${values.push(phase)} THEN crashes ELSE 0 END`);
  else if (counts !== undefined) parts.push(`crashes = CASE WHEN phase = 'apply' THEN 0 ELSE crashes END`);
  if (state !== undefined && state !== 'running' && state !== 'undoing') parts.push('claimed_until = NULL');
  if (state !== undefined && endStates.has(state)) parts.push('finished_at = coalesce(finished_at, now())');
  const { rows } = await tx.query<{ isCancelled: boolean }>(
    `UPDATE feed_runs SET ${parts.join(', ')} WHERE id = $1 AND claim = $2 AND state IN ('running', 'undoing')
     RETURNING is_cancelled AS "isCancelled"`,
    values,
  );
  return holdOf(rows);
}

/** A run that is not under way. */
export async function rejectFeedRun(tx: Executor, id: string): Promise<void> {
  await tx.query(
    `UPDATE feed_runs SET state = 'cancelled', claimed_until = NULL, is_cancelled = false, finished_at = now() WHERE id = $1`,
    [id],
  );
}

export async function approveFeedRun(tx: Executor, id: string, approver: CallActor): Promise<void> {
  await tx.query(
    `UPDATE feed_runs SET state = 'queued', crashes = 0, approved_at = now(), approver_kind = $2, approver_id = $3 WHERE id = $1`,
    [id, approver.kind, approver.id],
  );
}

/** The file of a run is complete, so that the run can begin. */
export async function completeUpload(tx: Executor, id: string, hash: string): Promise<void> {
  await tx.query(
    `UPDATE feed_runs SET state = 'queued', file_hash = $2 WHERE id = $1 AND state = 'uploading'`,
    [id, hash],
  );
}

/** Those of nodes that died while they received a file. */
export async function deleteAbandonedUploads(executor: Executor, olderThanHours: number): Promise<void> {
  await executor.query(
    `DELETE FROM feed_runs WHERE state = 'uploading' AND created_at < now() - make_interval(hours => $1)`,
    [olderThanHours],
  );
}

/** Whoever undoes a run answers for it. */
export async function startUndo(
  tx: Executor,
  id: string,
  { kind, id: undoer }: CallActor,
  scopes: readonly string[],
): Promise<void> {
  await tx.query(
    `UPDATE feed_runs SET state = 'undoing', claimed_until = NULL, is_cancelled = false, undoer_kind = $2, undoer_id = $3,
       undoer_scopes = $4 WHERE id = $1`,
    [id, kind, undoer, textArray(scopes)],
  );
}

/** The node that works on it stops at the next chunk. */
export async function cancelRunningRun(tx: Executor, id: string): Promise<void> {
  await tx.query('UPDATE feed_runs SET is_cancelled = true WHERE id = $1', [id]);
}

/** Leaves no trace of a run that did nothing. */
export async function removeFeedRun(tx: Executor, id: string): Promise<void> {
  await tx.query('DELETE FROM feed_runs WHERE id = $1', [id]);
}

/** A newer file replaces those that wait. Returns them. */
export async function supersedeWaitingRuns(
  tx: Executor,
  { id, feed }: Pick<FeedRun, 'id' | 'feed'>,
): Promise<FeedRun[]> {
  const { rows } = await tx.query<RunRow>(
    `UPDATE feed_runs SET state = 'superseded', finished_at = now()
     WHERE feed_key = $1 AND id < $2 AND state = 'waiting' AND NOT is_dry_run RETURNING ${columns}`,
    [feed, id],
  );
  return rows.map(runOf);
}

/** The last run that had the same bytes, and whether any has written since. */
export async function fileSeenBefore(
  executor: Executor,
  { feed, id }: Pick<FeedRun, 'feed' | 'id'>,
  hash: string,
): Promise<SeenFile | undefined> {
  const { rows } = await executor.query<SeenFile>(
    `SELECT at, version, "isLast", "wasClean" FROM (
       SELECT created_at AS at, version, file_hash, state, row_number() OVER (ORDER BY id DESC) = 1 AS "isLast",
              coalesce((counts->'kinds'->>'failed')::integer, 0) = 0 AS "wasClean"
       FROM feed_runs WHERE feed_key = $1 AND id < $2 AND NOT is_dry_run
         AND (state IN ('done', 'unchanged') OR phase = 'apply' AND state IN ('cancelled', 'failed'))) AS earlier
     WHERE file_hash = $3 AND state IN ('done', 'unchanged') ORDER BY at DESC LIMIT 1`,
    [feed, id, hash],
  );
  return rows[0];
}

interface SeenFile {
  readonly at: Date;
  /** Of the settings. */
  readonly version: number;
  /** No later run has written anything, not even a part of its file. */
  readonly isLast: boolean;
  readonly wasClean: boolean;
}

/** Whether the last run of the feed failed for the same reason within a day, so that people know about it. */
export async function failedLately(
  executor: Executor,
  { feed, id }: Pick<FeedRun, 'feed' | 'id'>,
  { code, source }: StoredFinding & { readonly source?: { readonly code: string } },
): Promise<boolean> {
  const { rows } = await executor.query<{ isSame: boolean }>(
    `SELECT state = 'failed' AND problem->>'code' = $3 AND problem->'source'->>'code' IS NOT DISTINCT FROM $4
         AND created_at > now() - interval '1 day' AS "isSame"
     FROM feed_runs WHERE feed_key = $1 AND id < $2 AND NOT is_dry_run AND state <> 'uploading' ORDER BY id DESC LIMIT 1`,
    [feed, id, code, source?.code ?? null],
  );
  return rows[0]?.isSame === true;
}

const runsDeletedAtOnce = 100;

/** With their rows. Returns true if there may be more. */
export async function deleteOldFeedRuns(executor: Executor, olderThanDays: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `DELETE FROM feed_runs WHERE id = ANY (ARRAY(
       SELECT id FROM feed_runs WHERE created_at < now() - make_interval(days => $1)
         AND state NOT IN ('queued', 'running', 'waiting', 'undoing') ORDER BY id LIMIT $2))`,
    [olderThanDays, runsDeletedAtOnce],
  );
  return rowCount === runsDeletedAtOnce;
}
