import type { CallState } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { isWaiting, lastWorkingDay } from './calls.js';

export interface NewPlannedItem {
  readonly id: string;
  readonly position: number;
  readonly userSerial: string | null;
  readonly employeeID: string | null;
  readonly item: unknown;
  readonly preview: unknown;
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
  /** Hashes of the names and serials that it mentions besides the user. */
  readonly mentions: readonly string[] | null;
}

export async function insertPlannedItems(
  tx: Executor,
  callId: string,
  items: readonly NewPlannedItem[],
): Promise<void> {
  await tx.query(
    `INSERT INTO planned_items (call_id, id, position, user_serial, employee_id, item, preview, secret, secret_key_id, mentions)
     SELECT $1, id, position, user_serial, employee_id, item::json, preview::json, decode(secret, 'hex'), secret_key_id,
       mentions::bigint[]
     FROM unnest($2::uuid[], $3::integer[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
         $10::text[])
       AS new (id, position, user_serial, employee_id, item, preview, secret, secret_key_id, mentions)`,
    [
      callId,
      plainArray(items.map(({ id }) => id)),
      plainArray(items.map(({ position }) => position)),
      plainArray(items.map(({ userSerial }) => userSerial ?? 'NULL')),
      textArray(items.map(({ employeeID }) => employeeID)),
      textArray(items.map(({ item }) => JSON.stringify(item))),
      textArray(items.map(({ preview }) => JSON.stringify(preview))),
      textArray(items.map(({ secret }) => secret?.toString('hex') ?? null)),
      textArray(items.map(({ secretKeyId }) => secretKeyId)),
      textArray(items.map(({ mentions }) => mentions && plainArray(mentions))),
    ],
  );
}

export interface PlannedItem {
  readonly id: string;
  readonly position: number;
  readonly employeeID: string | null;
  readonly item: unknown;
  readonly preview: unknown;
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
}

const itemsAtOnce = 1_000;

/** All items, in order. */
export async function listPlannedItems(executor: Executor, callId: string): Promise<PlannedItem[]> {
  const items: PlannedItem[] = [];
  for (let after = -1; ; after = items.at(-1)?.position ?? after) {
    const { rows } = await executor.query<PlannedItem>(
      `SELECT id, position, employee_id AS "employeeID", item, preview, secret, secret_key_id AS "secretKeyId" FROM planned_items
       WHERE call_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      [callId, after, itemsAtOnce],
    );
    items.push(...rows);
    if (rows.length < itemsAtOnce) return items;
  }
}

export interface PreviewedItem {
  readonly position: number;
  readonly employeeID: string | null;
  /** The outcome in the preview. */
  readonly preview: unknown;
}

/** In order of their positions. */
export async function listPreviewedItems(
  executor: Executor,
  callId: string,
  { failed }: { readonly failed?: boolean | undefined },
  { after, limit }: { after: number; limit: number },
): Promise<PreviewedItem[]> {
  const { rows } = await executor.query<PreviewedItem>(
    `SELECT position, employee_id AS "employeeID", preview FROM planned_items
     WHERE call_id = $1 AND position > $2 AND ($3::boolean IS NULL OR (preview ->> 'ok' = 'false') = $3)
     ORDER BY position LIMIT $4`,
    [callId, after, failed ?? null, limit],
  );
  return rows;
}

/** A planned change of a user. */
export interface UpcomingChange {
  readonly callId: string;
  readonly state: CallState;
  readonly effectiveAt: Date | null;
  readonly lastWorkingDay: string | null;
  /** The outcome in the preview. */
  readonly preview: unknown;
}

const upcomingMax = 100;

/** Soonest first. */
export async function listUpcomingChanges(executor: Executor, userSerial: string): Promise<UpcomingChange[]> {
  const { rows } = await executor.query<UpcomingChange>({
    name: 'list-upcoming-changes',
    text: `SELECT call_id AS "callId", state, effective_at AS "effectiveAt", ${lastWorkingDay} AS "lastWorkingDay", preview
           FROM planned_items JOIN planned_calls USING (call_id) JOIN calls ON calls.id = call_id
           WHERE user_serial = $1 AND ${isWaiting}
           ORDER BY effective_at NULLS FIRST, call_id LIMIT ${upcomingMax}`,
    values: [userSerial],
  });
  return rows;
}

interface KeptItems {
  /** Of calls that have ended. */
  readonly hours: number;
  /** Of calls that were rejected. */
  readonly rejectedDays: number;
}

/** Returns true if there may be more. */
export async function deleteOldPlannedItems(
  executor: Executor,
  { hours, rejectedDays }: KeptItems,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `DELETE FROM planned_items WHERE id IN (
       SELECT planned_items.id FROM planned_items JOIN planned_calls USING (call_id) JOIN calls ON calls.id = call_id
       WHERE due_at IS NULL AND NOT ${isWaiting}
         AND CASE WHEN cancelled_at IS NULL THEN coalesce(finished_at, started_at) < now() - make_interval(hours => $1)
           ELSE cancelled_at < now() - make_interval(days => $2) END
       LIMIT $3)`,
    [hours, rejectedDays, itemsAtOnce],
  );
  return rowCount === itemsAtOnce;
}
