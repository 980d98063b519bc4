import type { Executor } from '../database.js';
import { quoted, type StoredTable } from './dump.js';

export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** Of all rows, whatever their order: the XOR of a hash of each. Rows of a table differ, so none cancel out. */
  readonly digest: string;
}

/** Reads every row. Two databases whose text settings are the same give the same digests for the same rows. */
export async function tableDigests(tx: Executor, tables: readonly StoredTable[]): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const { name, columns } of tables) {
    const row = `ROW(${columns.map((column) => quoted(column.name)).join()})::text`;
    const { rows } = await tx.query<{ rows: number; digest: string }>(
      `SELECT count(*)::float8 AS rows,
              coalesce(bit_xor(('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 16))::bit(64)::bigint), 0)::text AS digest
       FROM ONLY ${quoted(name)}`,
    );
    digests.push({ table: name, ...(rows[0] as { rows: number; digest: string }) });
  }
  return digests;
}
