import type { Executor } from '../database.js';

/** The numbers and users of changes that are not indexed yet, oldest first. */
export interface UnindexedChange {
  readonly seq: number;
  readonly userSerial: string | null;
  /** Whether values of attributes may have changed. */
  readonly ofAttributes: boolean;
  /** Whether the user may have another manager, or be no active manager any more. */
  readonly ofManagers: boolean;
}

export async function unindexedChanges(
  tx: Executor,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Promise<UnindexedChange[]> {
  const { rows } = await tx.query<Omit<UnindexedChange, 'seq'> & { seq: string }>({
    name: 'unindexed-changes',
    text: `SELECT seq, user_serial AS "userSerial",
                  kind <> 'updated' OR fields -> 'attributes' IS NOT NULL AS "ofAttributes",
                  kind <> 'updated' OR fields -> 'managerSerial' IS NOT NULL OR fields -> 'isActive' IS NOT NULL
                    AS "ofManagers"
           FROM changes WHERE seq > $1 AND seq <= $2 ORDER BY seq LIMIT $3`,
    values: [after, upTo, limit],
  });
  return rows.map(({ seq, ...change }) => ({ ...change, seq: Number(seq) }));
}

/** Makes the changes between two numbers findable by user and by call. */
export async function indexChanges(
  tx: Executor,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  if (after === upTo) return;
  await tx.query({
    name: 'index-changes',
    text: `WITH newer AS MATERIALIZED (
             SELECT seq, user_serial, call_id FROM ONLY changes WHERE seq > $1 AND seq <= $2),
           by_user AS (
             INSERT INTO user_changes (user_serial, seq)
             SELECT user_serial, seq FROM newer WHERE user_serial IS NOT NULL ORDER BY user_serial
             ON CONFLICT DO NOTHING)
           INSERT INTO call_changes (call_id, first_seq, last_seq)
           SELECT call_id, min(seq), max(seq) FROM newer
           WHERE call_id IS NOT NULL AND user_serial IS NOT NULL GROUP BY call_id
           ON CONFLICT (call_id) DO UPDATE SET last_seq = excluded.last_seq`,
    values: [after, upTo],
  });
}

/**
 * Adds the organizations and tags that users got or lost between two numbers to the directories. Many users have the same
 * ones, so each text is taken apart only once.
 */
export async function indexChangedSerials(
  tx: Executor,
  { after, upTo }: { after: number; upTo: number },
): Promise<void> {
  if (after === upTo) return;
  await tx.query({
    name: 'index-changed-serials',
    text: `WITH newer AS MATERIALIZED (
             SELECT (fields -> 'organizationSerial')::text AS organization, (fields -> 'tagSerials')::text AS tags
             FROM ONLY changes WHERE seq > $1 AND seq <= $2 AND user_serial IS NOT NULL),
           by_organization AS (
             INSERT INTO organizations (serial)
             SELECT DISTINCT value COLLATE "C" FROM (SELECT DISTINCT organization FROM newer) AS different
               CROSS JOIN LATERAL json_each_text(organization::json)
             WHERE value IS NOT NULL ORDER BY 1
             ON CONFLICT DO NOTHING)
           INSERT INTO tags (serial)
           SELECT DISTINCT tag COLLATE "C" FROM (SELECT DISTINCT tags FROM newer) AS different
             CROSS JOIN LATERAL json_each(tags::json)
             CROSS JOIN LATERAL json_array_elements_text(CASE json_typeof(value) WHEN 'array' THEN value END) AS tag
           ORDER BY 1
           ON CONFLICT DO NOTHING`,
    values: [after, upTo],
  });
}
