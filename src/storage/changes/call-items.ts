import type { FieldChange, FieldChanges } from '../../contract/changes.js';
import type { ChangeKind } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { changesOfUsers } from './changes.js';

/** The outcomes of consecutive items, as they are stored. */
export interface ChunkItems {
  readonly first: number;
  /** Null for items that failed. */
  readonly serials: readonly (string | null)[];
  /** Null for items that were not understood, and for successes if the change log tells it. */
  readonly employeeIDs: readonly (string | null)[];
  /** By position. */
  readonly failures: Readonly<Record<number, unknown>>;
  /** Hashes of the names and serials that the failures and employee IDs mention. */
  readonly mentions: readonly string[] | null;
}

/** The values that `advanceCall` inserts. */
export function chunkItemValues({ first, serials, employeeIDs, failures, mentions }: ChunkItems): unknown[] {
  return [
    first,
    plainArray(serials.map((serial) => serial ?? 'NULL')),
    textArray(employeeIDs),
    JSON.stringify(failures),
    mentions && plainArray(mentions),
  ];
}

export interface CallItem {
  readonly position: number;
  readonly serial: string | null;
  readonly employeeID: string | null;
  /** As it was stored; null if the item succeeded. */
  readonly failure: unknown;
}

export interface CallItemFilters {
  readonly failed?: boolean | undefined;
}

/** In order of their positions. */
export async function listCallItems(
  executor: Executor,
  callId: string,
  { failed }: CallItemFilters,
  { after, limit }: { after: number; limit: number },
): Promise<CallItem[]> {
  const { rows } = await executor.query<CallItem & { at: string }>(
    `WITH chunks AS MATERIALIZED (
       SELECT first_item, created_at, serials, employee_ids, failures FROM call_items
       WHERE call_id = $1 AND first_item + cardinality(serials) > $2
         AND ($3::boolean IS NOT NULL OR first_item <= $2::bigint + $4)),
     items AS (
       SELECT first_item + place::integer - 1 AS position, serial, employee_id, created_at::text AS at
       FROM chunks, unnest(serials, employee_ids) WITH ORDINALITY AS item (serial, employee_id, place)),
     failed AS (SELECT key::integer AS position, value AS failure FROM chunks, json_each(failures))
     SELECT position, serial, employee_id AS "employeeID", failure, at FROM items LEFT JOIN failed USING (position)
     WHERE position > $2 AND ($3::boolean IS NULL OR (failure IS NOT NULL) = $3)
     ORDER BY position LIMIT $4`,
    [callId, after, failed ?? null, limit],
  );
  const unnamed = rows.filter(({ serial, employeeID }) => serial !== null && employeeID === null);
  const names = await employeeIDsBefore(executor, callId, unnamed as { serial: string; at: string }[]);
  return rows.map(({ at: _, ...item }) => ({
    ...item,
    employeeID: item.employeeID ?? names.get(item.serial ?? '') ?? null,
  }));
}

/**
 * The employee IDs of users when a chunk of the call changed them, or found nothing to change: what the first change
 * since then replaced or left as it was, or else the present one. Nothing is known of erased users.
 */
async function employeeIDsBefore(
  executor: Executor,
  callId: string,
  chunks: readonly { readonly serial: string; readonly at: string }[],
): Promise<ReadonlyMap<string, string>> {
  if (chunks.length === 0) return new Map();
  const { rows } = await executor.query<{ serial: string; employeeID: string }>(
    `WITH item AS MATERIALIZED (SELECT serial, at FROM unnest($1::uuid[], $2::text[]::timestamptz[]) AS item (serial, at)),
     logged AS (
       SELECT DISTINCT ON (serial) serial, coalesce(fields -> 'employeeID' ->> 'before', employee_id) AS employee_id
       FROM item JOIN changes ON user_serial = serial AND (call_id = $3 OR changes.at > item.at)
       WHERE seq = ANY (ARRAY(${changesOfUsers}))
       ORDER BY serial, seq)
     SELECT serial, coalesce(nullif(logged.employee_id, ''), users.employee_id) AS "employeeID"
     FROM item LEFT JOIN logged USING (serial) LEFT JOIN users USING (serial)
     WHERE coalesce(nullif(logged.employee_id, ''), users.employee_id) IS NOT NULL`,
    [plainArray(chunks.map(({ serial }) => serial)), textArray(chunks.map(({ at }) => at)), callId],
  );
  return new Map(rows.map(({ serial, employeeID }) => [serial, employeeID]));
}

export interface CallEffect {
  readonly kind: ChangeKind;
  readonly fields: FieldChanges;
}

/** What a call changed about each of these users, whom several of its chunks may have changed. */
export async function readCallEffects(
  executor: Executor,
  callId: string,
  serials: readonly string[],
): Promise<ReadonlyMap<string, CallEffect>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<CallEffect & { readonly serial: string }>(
    `SELECT user_serial AS serial, kind, fields FROM changes
     WHERE call_id = $2 AND seq = ANY (ARRAY(${changesOfUsers})) ORDER BY seq`,
    [plainArray(serials), callId],
  );
  const effects = new Map<string, CallEffect>();
  for (const { serial, ...effect } of rows) {
    const earlier = effects.get(serial);
    effects.set(serial, earlier ? followed(earlier, effect) : effect);
  }
  return effects;
}

function followed(earlier: CallEffect, later: CallEffect): CallEffect {
  const fields: Partial<Record<keyof FieldChanges, FieldChange>> = { ...earlier.fields };
  for (const [name, change] of Object.entries(later.fields) as [keyof FieldChanges, FieldChange][]) {
    const before = earlier.fields[name];
    fields[name] = before ? { before: before.before, after: change.after } : change;
  }
  return { kind: earlier.kind === 'updated' ? later.kind : earlier.kind, fields };
}

const deletedAtOnce = 100;

/** Returns true if there may be more. */
export async function deleteOldCallItems(executor: Executor, olderThanDays: number): Promise<boolean> {
  const { rowCount } = await executor.query(
    `DELETE FROM call_items WHERE (call_id, first_item) IN (
       SELECT call_id, first_item FROM call_items WHERE created_at < now() - make_interval(days => $1)
       ORDER BY created_at LIMIT $2)`,
    [olderThanDays, deletedAtOnce],
  );
  return rowCount === deletedAtOnce;
}
