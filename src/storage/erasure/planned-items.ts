import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
import { quotesAny } from './quoted-texts.js';

/** Replaces the planned items of these users by a failure. */
export async function erasePlannedItems(
  tx: Executor,
  { serials, names }: { readonly serials: readonly string[]; readonly names: readonly string[] },
  failure: unknown,
): Promise<void> {
  await tx.query({
    name: 'erase-planned-items',
    text: `UPDATE planned_items SET ${replacedBy('$3')}
           WHERE user_serial = ANY ($1::uuid[])
             OR (user_serial IS NULL AND lower(employee_id) = ANY ($2::text[]))`,
    values: [plainArray(serials), textArray(lowerCase(names)), JSON.stringify(failure)],
  });
}

export async function replacePlannedItem(tx: Executor, id: string, failure: unknown): Promise<void> {
  await tx.query(`UPDATE planned_items SET ${replacedBy('$2')} WHERE id = $1`, [id, JSON.stringify(failure)]);
}

function replacedBy(failure: string): string {
  return `item = ${failure}, preview = ${failure}, employee_id = NULL, user_serial = NULL, secret = NULL, secret_key_id = NULL`;
}

/** A planned item that may mention someone else. */
export interface MentioningItem {
  readonly id: string;
  readonly position: number;
  /** Null if nobody is changed according to the preview. */
  readonly userSerial: string | null;
  readonly item: unknown;
  readonly preview: unknown;
}

/** Locked until the transaction ends. */
export async function lockItemsMentioning(tx: Executor, names: readonly string[]): Promise<MentioningItem[]> {
  const { rows } = await tx.query<MentioningItem>({
    name: 'lock-items-mentioning',
    text: `SELECT id, position, user_serial AS "userSerial", item, preview FROM planned_items
           WHERE ${quotesAny('item::text || preview::text')} ORDER BY id FOR UPDATE`,
    values: [textArray(lowerCase(names))],
  });
  return rows;
}

export async function replacePreview(tx: Executor, id: string, preview: unknown): Promise<void> {
  await tx.query('UPDATE planned_items SET preview = $2 WHERE id = $1', [id, JSON.stringify(preview)]);
}

function lowerCase(names: readonly string[]): string[] {
  return names.map((name) => name.toLowerCase());
}
