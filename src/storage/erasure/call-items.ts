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

/** Some chunks in the order of their key: all after one place, up to another. */
export interface ChunkRange {
  readonly after: ChunkKey;
  readonly upTo: ChunkKey;
}

interface ChunkKey {
  readonly callId: string;
  readonly first: number;
}

const chunksAtOnce = 500;
const beforeAll: ChunkKey = { callId: '00000000-0000-0000-0000-000000000000', first: -1 };

/** Limits how much one statement reads. Undefined if there are no more. */
export async function nextChunks(
  tx: Executor,
  previous: ChunkRange | undefined,
): Promise<ChunkRange | undefined> {
  const after = previous?.upTo ?? beforeAll;
  const { rows } = await tx.query<ChunkKey>({
    name: 'next-chunks',
    text: `SELECT call_id AS "callId", first_item AS first
           FROM (SELECT call_id, first_item FROM call_items WHERE (call_id, first_item) > ($1, $2)
                 ORDER BY call_id, first_item LIMIT ${chunksAtOnce}) AS next
           ORDER BY call_id DESC, first_item DESC LIMIT 1`,
    values: [after.callId, after.first],
  });
  return rows[0] && { after, upTo: rows[0] };
}

/** Locked until the transaction ends. */
export async function lockChunksWith(
  tx: Executor,
  { after, upTo }: ChunkRange,
  { serials, texts }: { readonly serials: readonly string[]; readonly texts: readonly string[] },
): Promise<StoredChunk[]> {
  const { rows } = await tx.query<StoredChunk>({
    name: 'lock-chunks-with',
    text: `SELECT call_id AS "callId", first_item AS first, to_json(serials) AS serials,
             to_json(employee_ids) AS "employeeIDs", failures
           FROM call_items
           WHERE (call_id, first_item) > ($3, $4) AND (call_id, first_item) <= ($5, $6)
             AND (serials && $2::uuid[] OR lower(employee_ids::text)::text[] && $1::text[] OR ${quotesAny('failures::text')})
           ORDER BY call_id, first_item FOR UPDATE`,
    values: [
      textArray(texts.map((text) => text.toLowerCase())),
      plainArray(serials),
      ...[after.callId, after.first, upTo.callId, upTo.first],
    ],
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
