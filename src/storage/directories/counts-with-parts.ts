import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
import { differences } from './entries.js';

export interface CountsWithParts {
  readonly serial: string;
  readonly total: number;
  readonly active: number;
}

/** How many users these organizations have together with everything that is a part of them. */
export async function countsWithParts(
  executor: Executor,
  serials: readonly string[],
  /** Users changed since they were indexed. */
  fresh: readonly string[],
): Promise<CountsWithParts[]> {
  const sumOf = (count: 'total' | 'active') =>
    `sum(coalesce(users_${count}, 0) + coalesce(difference.${count}, 0))::integer AS ${count}`;
  const { rows } = await executor.query<CountsWithParts>({
    text: `WITH RECURSIVE difference AS MATERIALIZED (${differences('organizations')}),
           parts AS (
             SELECT serial COLLATE "C" AS whole, serial COLLATE "C" AS serial FROM unnest($2::text[]) AS serial
             UNION
             SELECT whole, organizations.serial FROM parts JOIN organizations ON parent_serial = parts.serial)
           SELECT whole AS serial, ${sumOf('total')}, ${sumOf('active')}
           FROM parts LEFT JOIN organizations USING (serial) LEFT JOIN difference USING (serial)
           GROUP BY whole`,
    values: [plainArray(fresh), textArray(serials)],
  });
  return rows;
}
