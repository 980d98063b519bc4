import type { DirectoryKind } from '../../contract/directories.js';
import type { Executor } from '../database.js';
import { textArray } from '../sql.js';

/** By the users that are counted: it may take a moment until a renamed serial is no longer known. */
const isKnown = 'serial = ANY ($1::text[]) AND (NOT (is_renamed OR is_undone) OR users_total > 0)';

/** Those of the serials that are in the directory. */
export async function knownSerials(
  executor: Executor,
  kind: DirectoryKind,
  serials: readonly string[],
): Promise<Set<string>> {
  if (serials.length === 0) return new Set();
  const { rows } = await executor.query<[serial: string]>({
    name: `known-${kind}`,
    text: `SELECT serial FROM ${kind} WHERE ${isKnown}`,
    values: [textArray(serials)],
    rowMode: 'array',
  });
  return new Set(rows.map(([serial]) => serial));
}

const serialsOfUsers: Record<DirectoryKind, string> = {
  organizations:
    'SELECT organization_serial AS serial FROM users WHERE organization_serial = ANY ($1::text[])',
  tags: `SELECT tag AS serial FROM users CROSS JOIN LATERAL unnest(tag_serials) AS tag
         WHERE tag_serials && $1::text[] AND tag = ANY ($1::text[])`,
};

/**
 * Those of the serials that are in the directory, or that the indexer hasn't seen yet: because the index is being built,
 * or because users have just got them. One statement, because the indexer may be adding them right now.
 */
export async function knownOrUnindexedSerials(
  executor: Executor,
  kind: DirectoryKind,
  serials: readonly string[],
): Promise<string[]> {
  const { rows } = await executor.query<[serial: string]>({
    name: `known-or-unindexed-${kind}`,
    // Once the index is built, built_to is null, and no user is read.
    text: `SELECT serial FROM ${kind} WHERE ${isKnown}
           UNION ${serialsOfUsers[kind]} AND users.serial > (SELECT built_to FROM index_state)
           UNION ${serialsOfUsers[kind]} AND users.serial = ANY (ARRAY(
             SELECT user_serial FROM changes WHERE seq > (SELECT log_position FROM index_state) AND user_serial IS NOT NULL))`,
    values: [textArray(serials)],
    rowMode: 'array',
  });
  return rows.map(([serial]) => serial);
}
