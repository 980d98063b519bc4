import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
import { quotesAny } from './quoted-texts.js';

/** The outcomes of a chunk, as they are kept for reading. */
export interface StoredChunk {
  readonly callId: string;
  readonly first: number;
  readonly serials: readonly (string | null)[];
  readonly employeeIDs: readonly (string | null)[];
  readonly failures: Readonly<Record<string, unknown>>;
}

/** Locked until the transaction ends. */
export async function lockChunksWith(
  tx: Executor,
  { serials, texts }: { readonly serials: readonly string[]; readonly texts: readonly string[] },
): Promise<StoredChunk[]> {
  const { rows } = await tx.query<StoredChunk>({
    name: 'lock-chunks-with',
    text: `SELECT call_id AS "callId", first_item AS first, to_json(serials) AS serials,
             to_json(employee_ids) AS "employeeIDs", failures
           FROM call_items
           WHERE serials && $2::uuid[] OR lower(employee_ids::text)::text[] && $1::text[] OR ${quotesAny('failures::text')}
           ORDER BY call_id, first_item FOR UPDATE`,
    values: [textArray(texts.map((text) => text.toLowerCase())), plainArray(serials)],
  });
  return rows;
}

export async function replaceChunk(
  tx: Executor,
  { callId, first, employeeIDs, failures }: StoredChunk,
): Promise<void> {
  await tx.query(
    'UPDATE call_items SET employee_ids = $3::text[], failures = $4 WHERE call_id = $1 AND first_item = $2',
    [callId, first, textArray(employeeIDs), JSON.stringify(failures)],
  );
}
