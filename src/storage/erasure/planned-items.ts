import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
import { quotesAny } from './quoted-texts.js';

/** Replaces the planned items of these users, and those that would give their names to others, by a failure. */
export async function erasePlannedItems(
  tx: Executor,
  { serials, names }: { readonly serials: readonly string[]; readonly names: readonly string[] },
  failure: unknown,
): Promise<void> {
  await tx.query({
    name: 'erase-planned-items',
    text: `UPDATE planned_items SET item = $3, preview = $3, employee_id = NULL, user_serial = NULL, secret = NULL,
             secret_key_id = NULL
           WHERE lower(employee_id) = ANY ($1::text[]) OR user_serial = ANY ($2::uuid[]) OR ${quotesAny('item::text')}`,
    values: [
      textArray(names.map((name) => name.toLowerCase())),
      plainArray(serials),
      JSON.stringify(failure),
    ],
  });
}

/** The preview of a planned item that mentions someone else. */
export interface StoredPreview {
  readonly id: string;
  readonly position: number;
  readonly preview: unknown;
}

/** Locked until the transaction ends. */
export async function lockPreviewsWith(tx: Executor, texts: readonly string[]): Promise<StoredPreview[]> {
  const { rows } = await tx.query<StoredPreview>({
    name: 'lock-previews-with',
    text: `SELECT id, position, preview FROM planned_items WHERE ${quotesAny('preview::text')} ORDER BY id FOR UPDATE`,
    values: [textArray(texts.map((text) => text.toLowerCase()))],
  });
  return rows;
}

export async function replacePreview(tx: Executor, { id, preview }: StoredPreview): Promise<void> {
  await tx.query('UPDATE planned_items SET preview = $2 WHERE id = $1', [id, JSON.stringify(preview)]);
}
