import type { FieldChanges } from '../../contract/changes.js';
import type { ChangeKind } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { plainArray, textArray, whereAll } from '../sql.js';

/** Who made a change, and with which request. */
export interface ChangeOrigin {
  /** Null for the service itself. */
  readonly actor: { readonly kind: string; readonly id: string } | null;
  readonly requestId: string | null;
  readonly callId: string | null;
}

export interface NewChange {
  readonly userSerial: string;
  /** The user's version after the change. */
  readonly version: number;
  readonly employeeID: string;
  readonly fields: FieldChanges;
}

export const originColumns = 'call_id, actor_kind, actor_id, request_id';

export function originValues({ callId, actor, requestId }: ChangeOrigin): unknown[] {
  return [callId, actor?.kind ?? null, actor?.id ?? null, requestId];
}

/** JSON contains control characters only escaped, so one of them can separate two texts without scanning them. */
const separator = '\u001f';

/** Split again by `string_to_array(…, E'\x1f')`. */
export function joinedFields(fields: readonly FieldChanges[]): string {
  return fields.map((each) => JSON.stringify(each)).join(separator);
}

/** Appends any number of rows to the log in one statement. */
export async function insertChanges(
  tx: Executor,
  kind: ChangeKind,
  changes: readonly NewChange[],
  origin: ChangeOrigin,
): Promise<void> {
  if (changes.length === 0) return;
  await tx.query({
    name: 'insert-changes',
    text: `INSERT INTO changes (user_serial, version, employee_id, fields, kind, ${originColumns})
           SELECT user_serial, version, employee_id, fields::json, $5, $6::uuid, $7, $8, $9
           FROM unnest($1::uuid[], $2::integer[], $3::text[], string_to_array($4::text, E'\\x1f'))
             AS new (user_serial, version, employee_id, fields)`,
    values: [
      plainArray(changes.map(({ userSerial }) => userSerial)),
      plainArray(changes.map(({ version }) => version)),
      textArray(changes.map(({ employeeID }) => employeeID)),
      joinedFields(changes.map(({ fields }) => fields)),
      kind,
      ...originValues(origin),
    ],
  });
}

export interface Change {
  readonly sequence: number;
  readonly at: string;
  readonly kind: ChangeKind;
  readonly userSerial: string;
  readonly employeeID: string;
  readonly version: number;
  readonly actor: { readonly kind: string; readonly id: string } | null;
  readonly requestId: string | null;
  readonly callId: string | null;
  readonly fields: FieldChanges;
}

export interface ChangeRow extends Omit<Change, 'sequence' | 'at'> {
  readonly sequence: string;
  readonly at: Date;
}

export const changeColumns = `seq AS sequence, at, kind, user_serial AS "userSerial", employee_id AS "employeeID", version,
  CASE WHEN actor_id IS NOT NULL THEN json_build_object('kind', actor_kind, 'id', actor_id) END AS actor,
  request_id AS "requestId", call_id AS "callId", fields`;

export function changeOf({ sequence, at, ...rest }: ChangeRow): Change {
  return { sequence: Number(sequence), at: at.toISOString(), ...rest };
}

export interface ChangeFilters {
  readonly userSerial?: string;
  readonly actorId?: string;
  readonly callId?: string;
  readonly kind?: string;
  /** Changes of this field. */
  readonly field?: string;
  /** Of users who are in this organization, or moved into or out of it. */
  readonly organizationSerial?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Conditions on `changes`. */
export function changeConditions({
  actorId,
  kind,
  field,
  organizationSerial,
}: Pick<ChangeFilters, 'actorId' | 'kind' | 'field' | 'organizationSerial'>) {
  return {
    'actor_id = ?': actorId,
    'kind = ?': kind,
    'fields -> ?::text IS NOT NULL': field,
    [`(EXISTS (SELECT FROM users WHERE serial = user_serial AND organization_serial = ?) OR
       ? IN (fields -> 'organizationSerial' ->> 'before', fields -> 'organizationSerial' ->> 'after'))`]:
      organizationSerial,
  };
}

/** Newest first. */
export async function listChanges(
  executor: Executor,
  { filters, before, limit }: { filters: ChangeFilters; before: string | undefined; limit: number },
): Promise<Change[]> {
  const { userSerial, callId } = filters;
  const { where, values } = whereAll(
    {
      'seq < ?': before,
      // Either is enough to find them; if both are given, the rest is filtered.
      ...(userSerial === undefined ? {} : { 'call_id = ?': callId }),
      ...changeConditions(filters),
      'at >= ?': filters.since,
      'at < ?': filters.until,
    },
    [limit, ...((userSerial ?? callId) ? [userSerial ?? callId] : [])],
  );
  const source = userSerial ? changesOfUser('$2::uuid') : callId ? changesOfOneCall('$2::uuid') : 'changes';
  const { rows } = await executor.query<ChangeRow>(
    `SELECT ${changeColumns} FROM ${source} WHERE user_serial IS NOT NULL AND ${where} ORDER BY seq DESC LIMIT $1`,
    values,
  );
  return rows.map(changeOf);
}

/**
 * The changes of one user or call, as a subquery. The indexer finds their numbers some time after the commit, so the
 * newest rows are searched as well. Rows written before there was an indexer are in a table with indexes of its own.
 */
const newest = 'FROM ONLY changes WHERE seq > (SELECT log_position FROM index_state)';

export function changesOfUser(userSerial: string): string {
  return `(SELECT changes.* FROM (SELECT seq FROM user_changes WHERE user_serial = ${userSerial} OFFSET 0) AS indexed
             JOIN ONLY changes USING (seq)
           UNION ALL SELECT * ${newest} AND user_serial = ${userSerial}
           UNION ALL SELECT * FROM archived_changes WHERE user_serial = ${userSerial}) AS changes`;
}

/** The numbers of the changes of the users in $1. */
export const changesOfUsers = `
  SELECT seq FROM user_changes WHERE user_serial = ANY ($1::uuid[])
  UNION ALL
  SELECT seq ${newest} AND user_serial = ANY ($1::uuid[])
  UNION ALL
  SELECT seq FROM archived_changes WHERE user_serial = ANY ($1::uuid[])`;

export function changesOfOneCall(callId: string): string {
  return `(SELECT * FROM ONLY changes
           WHERE call_id = ${callId} AND seq >= (SELECT first_seq FROM call_changes WHERE call_id = ${callId})
             AND seq <= (SELECT last_seq FROM call_changes WHERE call_id = ${callId})
           UNION ALL SELECT * ${newest} AND call_id = ${callId}
           UNION ALL SELECT * FROM archived_changes WHERE call_id = ${callId}) AS changes`;
}

export type CallChange = Pick<Change, 'userSerial' | 'employeeID' | 'kind' | 'version' | 'fields'>;

const callChangesAtOnce = 2_500;

/** All changes of a call, in order. Read in batches that yield to the event loop. */
export async function changesOfCall(executor: Executor, callId: string): Promise<CallChange[]> {
  const changes: CallChange[] = [];
  for (let after = '0'; ; ) {
    const { rows } = await executor.query<CallChange & { seq: string }>({
      name: 'changes-of-call',
      text: `SELECT seq, user_serial AS "userSerial", employee_id AS "employeeID", kind, version, fields FROM ${changesOfOneCall('$1::uuid')}
             WHERE seq > $2 AND user_serial IS NOT NULL ORDER BY seq LIMIT $3`,
      values: [callId, after, callChangesAtOnce],
    });
    for (const { seq: _, ...change } of rows) changes.push(change);
    const last = rows.at(-1);
    if (!last || rows.length < callChangesAtOnce) return changes;
    after = last.seq;
  }
}

export async function hasHistory(executor: Executor, userSerial: string): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM users WHERE serial = $1) OR EXISTS (SELECT FROM ${changesOfUser('$1::uuid')}) AS found`,
    [userSerial],
  );
  return rows[0]?.found === true;
}

const prunedAtOnce = 5_000;

/**
 * Deletes older rows that are indexed, a few thousand at a time so that no lock lasts. Returns true if there may be more.
 */
export async function pruneChanges(executor: Executor, olderThanDays: number): Promise<boolean> {
  const { rows } = await executor.query<{ pruned: number }>(
    `WITH oldest AS (SELECT seq, at FROM changes WHERE seq <= (SELECT position FROM index_state)
                     ORDER BY seq LIMIT $2),
          pruned AS (DELETE FROM changes USING oldest
                     WHERE changes.seq = oldest.seq AND oldest.at < now() - make_interval(days => $1)
                     RETURNING changes.seq, changes.user_serial),
          forgotten AS (DELETE FROM user_changes USING pruned
                        WHERE user_changes.user_serial = pruned.user_serial AND user_changes.seq = pruned.seq),
          noted AS (UPDATE change_log SET pruned_to = greatest(pruned_to, (SELECT max(seq) FROM pruned))
                    WHERE EXISTS (SELECT FROM pruned))
     SELECT count(*)::integer AS pruned FROM pruned`,
    [olderThanDays, prunedAtOnce],
  );
  return rows[0]?.pruned === prunedAtOnce;
}
