import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { differences } from './entries.js';

/** The organization itself and everything it is a part of, up to a number of levels. */
export async function ancestorsOf(tx: Executor, serial: string, levelsMax: number): Promise<string[]> {
  const { rows } = await tx.query<{ serial: string }>(
    `WITH RECURSIVE ancestors AS (
       SELECT $1::text COLLATE "C" AS serial, 1 AS level
       UNION ALL
       SELECT parent_serial, level + 1 FROM ancestors JOIN organizations USING (serial)
       WHERE parent_serial IS NOT NULL AND level < $2)
     SELECT serial FROM ancestors`,
    [serial, levelsMax],
  );
  return rows.map((row) => row.serial);
}

interface Parent {
  /** The organization that is part of it. */
  readonly part: string;
  readonly serial: string;
  readonly displayName: string | null;
}

/** What these organizations are part of, from the top, up to a number of levels. */
export async function parentsOf(
  executor: Executor,
  serials: readonly string[],
  levelsMax: number,
): Promise<Parent[]> {
  if (serials.length === 0) return [];
  const { rows } = await executor.query<Parent>({
    name: 'parents-of-organizations',
    text: `WITH RECURSIVE line AS (
             SELECT serial AS part, parent_serial, 1 AS level FROM organizations WHERE serial = ANY ($1::text[])
             UNION ALL
             SELECT part, organizations.parent_serial, level + 1 FROM line
             JOIN organizations ON serial = line.parent_serial WHERE level < $2)
           SELECT part, line.parent_serial AS serial, display_name AS "displayName"
           FROM line LEFT JOIN organizations ON serial = line.parent_serial
           WHERE line.parent_serial IS NOT NULL ORDER BY part, level DESC`,
    values: [textArray(serials), levelsMax],
  });
  return rows;
}

/** How many levels an organization and everything that is a part of it have, up to a number. */
export async function levelsOf(tx: Executor, serial: string, levelsMax: number): Promise<number> {
  const { rows } = await tx.query<{ levels: number }>(
    `WITH RECURSIVE parts AS (
       SELECT $1::text COLLATE "C" AS serial, 1 AS level
       UNION ALL
       SELECT organizations.serial, level + 1 FROM parts JOIN organizations ON parent_serial = parts.serial
       WHERE level < $2)
     SELECT max(level) AS levels FROM parts`,
    [serial, levelsMax],
  );
  return rows[0]?.levels ?? 1;
}

/** Organizations and everything that is a part of them, each once. */
export async function withParts(executor: Executor, serials: readonly string[]): Promise<string[]> {
  const { rows } = await executor.query<[serial: string]>({
    name: 'organizations-with-parts',
    text: `WITH RECURSIVE parts AS (
             SELECT unnest($1::text[]) COLLATE "C" AS serial
             UNION
             SELECT organizations.serial FROM parts JOIN organizations ON parent_serial = parts.serial)
           SELECT serial FROM parts`,
    values: [textArray(serials)],
    rowMode: 'array',
  });
  return rows.map(([serial]) => serial);
}

export async function hasChildren(tx: Executor, serial: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM organizations WHERE parent_serial = $1 LIMIT 1', [serial]);
  return rowCount === 1;
}

/** What is part of one organization becomes part of another, except that organization itself. */
export async function moveChildren(tx: Executor, from: string, to: string): Promise<void> {
  await tx.query('UPDATE organizations SET parent_serial = $2 WHERE parent_serial = $1 AND serial <> $2', [
    from,
    to,
  ]);
}

interface CountsWithParts {
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
             SELECT serial COLLATE "C" AS whole, serial COLLATE "C" AS serial, users_total, users_active
             FROM unnest($2::text[]) AS wanted (serial) LEFT JOIN organizations USING (serial)
             UNION
             SELECT whole, part.serial, part.users_total, part.users_active
             FROM parts JOIN organizations AS part ON part.parent_serial = parts.serial)
           SELECT whole AS serial, ${sumOf('total')}, ${sumOf('active')}
           FROM parts LEFT JOIN difference USING (serial) GROUP BY whole`,
    values: [plainArray(fresh), textArray(serials)],
  });
  return rows;
}
