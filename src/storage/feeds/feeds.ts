import { feedKeyField } from '../../contract/feed-settings.js';
import type { FeedSettings } from '../../contract/feeds.js';
import type { CallActor } from '../changes/calls.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';

export interface StoredFeed {
  readonly key: string;
  readonly name: string;
  readonly version: number;
  readonly isPaused: boolean;
  readonly writesSensitive: boolean;
  readonly settings: FeedSettings;
  readonly secret: EncryptedSecret | null;
  /** What is known about the file that was read last. */
  readonly fileVersion: unknown;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly dueAt: string | null;
  /** Until when a run that is due may wait for its file. */
  readonly dueUntil: string | null;
}

interface FeedRow extends Omit<StoredFeed, 'secret' | 'createdAt' | 'updatedAt' | 'dueAt' | 'dueUntil'> {
  readonly secret: Buffer | null;
  readonly keyId: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly dueAt: Date | null;
  readonly dueUntil: Date | null;
}

const columns = `key, name, version, is_paused AS "isPaused", writes_sensitive AS "writesSensitive", settings, secret,
  secret_key_id AS "keyId", file_version AS "fileVersion", created_at AS "createdAt", updated_at AS "updatedAt",
  due_at AS "dueAt", due_until AS "dueUntil"`;

function feedOf({ secret, keyId, ...row }: FeedRow): StoredFeed {
  return {
    ...row,
    secret: secret && keyId ? { bytes: secret, keyId } : null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    dueAt: row.dueAt?.toISOString() ?? null,
    dueUntil: row.dueUntil?.toISOString() ?? null,
  };
}

export async function getFeed(executor: Executor, key: string): Promise<StoredFeed | undefined> {
  if (!feedKeyField.accepts(key)) return undefined; // PostgreSQL rejects some texts
  const { rows } = await executor.query<FeedRow>(`SELECT ${columns} FROM feeds WHERE key = $1`, [key]);
  return rows[0] && feedOf(rows[0]);
}

export async function lockFeed(tx: Executor, key: string): Promise<StoredFeed | undefined> {
  if (!feedKeyField.accepts(key)) return undefined;
  await tx.query('SELECT FROM feeds WHERE key = $1 FOR UPDATE', [key]);
  return getFeed(tx, key);
}

/** By name. */
export async function listFeeds(executor: Executor): Promise<StoredFeed[]> {
  const { rows } = await executor.query<FeedRow>(`SELECT ${columns} FROM feeds ORDER BY lower(name), key`);
  return rows.map(feedOf);
}

/** Two who create a feed at the same time wait for each other, so that the limit holds. */
export async function countFeeds(tx: Executor): Promise<number> {
  await tx.query('LOCK TABLE feeds IN SHARE ROW EXCLUSIVE MODE');
  const { rows } = await tx.query<{ count: number }>('SELECT count(*)::integer AS count FROM feeds');
  return rows[0]?.count ?? 0;
}

export type FeedToStore = Pick<
  StoredFeed,
  'key' | 'name' | 'version' | 'isPaused' | 'writesSensitive' | 'settings' | 'secret' | 'dueAt' | 'dueUntil'
>;

/** Creates or changes a feed, and records its settings as a version. Returns false if the key is taken. */
export async function storeFeed(
  tx: Executor,
  feed: FeedToStore,
  { isNew, actor }: { readonly isNew: boolean; readonly actor: CallActor },
): Promise<boolean> {
  const { key, name, version, isPaused, writesSensitive, settings, secret, dueAt, dueUntil } = feed;
  const text = JSON.stringify(settings);
  const values = [
    ...[key, name, version, isPaused, writesSensitive, text],
    ...[secret?.bytes ?? null, secret?.keyId ?? null, dueAt, dueUntil],
  ];
  const { rowCount } = await tx.query(
    isNew
      ? `INSERT INTO feeds (key, name, version, is_paused, writes_sensitive, settings, secret, secret_key_id, due_at, due_until)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`
      : `UPDATE feeds SET name = $2, version = $3, is_paused = $4, writes_sensitive = $5, settings = $6, secret = $7,
           secret_key_id = $8, due_at = $9, due_until = $10, updated_at = now() WHERE key = $1`,
    values,
  );
  if (rowCount !== 1) return false;
  await tx.query(
    `INSERT INTO feed_versions (feed_key, version, actor_kind, actor_id, settings) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT DO NOTHING`,
    [key, version, actor.kind, actor.id, text],
  );
  return true;
}

export async function deleteFeed(tx: Executor, key: string): Promise<boolean> {
  const { rowCount } = await tx.query('DELETE FROM feeds WHERE key = $1', [key]);
  return rowCount === 1;
}

/** Feeds whose schedule asks for something now. Others skip them until the transaction ends. */
export async function lockDueFeeds(tx: Executor, limit: number): Promise<StoredFeed[]> {
  const { rows } = await tx.query<FeedRow>(
    `SELECT ${columns} FROM feeds WHERE due_at <= now() AND NOT is_paused ORDER BY due_at LIMIT $1
     FOR UPDATE SKIP LOCKED`,
    [limit],
  );
  return rows.map(feedOf);
}

export async function isFeedDue(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ isDue: boolean }>(
    `SELECT EXISTS (SELECT FROM feeds WHERE due_at <= now() AND NOT is_paused)
       OR EXISTS (SELECT FROM feed_runs WHERE state IN ('queued', 'running', 'undoing')
                    AND (claimed_until IS NULL OR claimed_until <= now())) AS "isDue"`,
  );
  return rows[0]?.isDue === true;
}

export async function setDue(
  tx: Executor,
  key: string,
  { dueAt, dueUntil }: Pick<StoredFeed, 'dueAt' | 'dueUntil'>,
): Promise<void> {
  await tx.query('UPDATE feeds SET due_at = $2, due_until = $3 WHERE key = $1', [key, dueAt, dueUntil]);
}

/** From now on, only another file is a new one. */
export async function setFileVersion(tx: Executor, key: string, fileVersion: unknown): Promise<void> {
  await tx.query('UPDATE feeds SET file_version = $2 WHERE key = $1', [
    key,
    fileVersion === null ? null : JSON.stringify(fileVersion),
  ]);
}

export interface FeedVersion {
  readonly version: number;
  readonly at: string;
  readonly by: CallActor;
  readonly settings: FeedSettings;
}

/** Newest first. */
export async function listFeedVersions(
  executor: Executor,
  key: string,
  { before, limit }: { readonly before: number | undefined; readonly limit: number },
): Promise<FeedVersion[]> {
  const { rows } = await executor.query<Omit<FeedVersion, 'at'> & { at: Date }>(
    `SELECT version, created_at AS at, json_build_object('kind', actor_kind, 'id', actor_id) AS by, settings
     FROM feed_versions WHERE feed_key = $1 AND ($2::integer IS NULL OR version < $2) ORDER BY version DESC LIMIT $3`,
    [key, before ?? null, limit],
  );
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

export async function getFeedVersion(
  executor: Executor,
  key: string,
  version: number,
): Promise<FeedSettings | undefined> {
  const { rows } = await executor.query<{ settings: FeedSettings }>(
    'SELECT settings FROM feed_versions WHERE feed_key = $1 AND version = $2',
    [key, version],
  );
  return rows[0]?.settings;
}
