import { attributeLimits } from '../../contract/limits.js';
import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';

/**
 * Brings the listed values of these users in line with the definitions. Values that are listed already are not written
 * again, and those of users who no longer exist are deleted.
 */
export async function indexAttributes(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await tx.query({
    name: 'index-attributes',
    text: `WITH wanted AS MATERIALIZED (
             SELECT DISTINCT id, serial, left(text, ${attributeLimits.listedLength}) COLLATE "C" AS value,
                    CASE type WHEN 'number' THEN text::numeric END AS number
             FROM users JOIN attributes ON is_filterable AND users.attributes ? id::text
               CROSS JOIN LATERAL (
                 SELECT users.attributes ->> id::text WHERE type <> 'list'
                 UNION ALL SELECT jsonb_array_elements_text(users.attributes -> id::text) WHERE type = 'list') AS texts (text)
             WHERE serial = ANY ($1::uuid[]) AND users.attributes IS NOT NULL),
           outdated AS (
             DELETE FROM listed_attributes AS listed WHERE user_serial = ANY ($1::uuid[]) AND NOT EXISTS (
               SELECT FROM wanted WHERE serial = user_serial AND id = attribute_id AND wanted.value = listed.value COLLATE "C"))
           INSERT INTO listed_attributes (attribute_id, user_serial, number, value)
           SELECT id, serial, number, value FROM wanted ORDER BY id, value, serial
           ON CONFLICT DO NOTHING`,
    values: [plainArray(serials)],
  });
}
