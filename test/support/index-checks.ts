import { expect } from 'vitest';
import { searchedTexts } from '../../src/domain/attributes/searched-texts.js';
import { indexNext } from '../../src/domain/indexing/index-next.js';
import { nameWords } from '../../src/domain/indexing/name-words.js';
import { searchDocument } from '../../src/domain/indexing/search-document.js';
import type { Executor } from '../../src/storage/database.js';
import type { SearchedFields } from '../../src/storage/indexing/index-listing.js';
import type { TestService } from './service.js';

/** Waits until the indexer has followed everything. */
export async function untilIndexed(db: Executor): Promise<void> {
  const isBehind = async () => {
    const { rows } = await db.query<{ behind: boolean }>(
      `SELECT built_to IS NOT NULL OR attributes_built_to IS NOT NULL OR EXISTS (SELECT FROM changes WHERE seq > position)
         AS behind FROM index_state`,
    );
    return rows[0]?.behind;
  };
  await expect.poll(isBehind).toBe(false);
}

/** Indexes everything without waiting for the indexer, which looks for changes twice a second. */
export async function indexNow({ context, database }: TestService): Promise<void> {
  // Another node, or this one in the background, may be indexing.
  while ((await indexNext(database, await context.changes.settleNow())) !== 'done');
}

/** Expects that the tables of the indexer agree with the users and the change log: nothing missing, nothing twice. */
export async function expectCompleteIndex(db: Executor): Promise<void> {
  const listed = 'serial, employee_id, name, is_active, organization_serial, tag_serials';
  const isGone = (manager: string) =>
    `NOT EXISTS (SELECT FROM users WHERE serial = ${manager} AND is_active)`;
  const counts = (users: string, serial: string) =>
    `SELECT ${serial} AS serial, count(*) AS total, count(*) FILTER (WHERE is_active) AS active FROM ${users} GROUP BY 1`;
  const stored = (table: string) =>
    `SELECT serial, users_total::bigint, users_active::bigint FROM ${table} WHERE (users_total, users_active) <> (0, 0)`;
  const pairs: Record<string, readonly [indexed: string, actual: string]> = {
    listing: [
      `SELECT ${listed}, has_manager FROM user_listing`,
      `SELECT ${listed}, manager_serial IS NOT NULL FROM users`,
    ],
    // Those who were noted and no longer have reports are ignored by reads.
    managers: [
      `SELECT user_serial FROM inactive_managers
       WHERE EXISTS (SELECT FROM users WHERE manager_serial = user_serial) AND ${isGone('user_serial')}`,
      `SELECT DISTINCT manager_serial FROM users AS report
       WHERE manager_serial IS NOT NULL AND ${isGone('report.manager_serial')}`,
    ],
    organizations: [
      stored('organizations'),
      counts('(SELECT * FROM users WHERE organization_serial IS NOT NULL) AS users', 'organization_serial'),
    ],
    tags: [stored('tags'), counts('users CROSS JOIN unnest(tag_serials) AS tag', 'tag')],
    totals: [
      'SELECT users_total::bigint, users_active::bigint FROM index_state',
      'SELECT count(*), count(*) FILTER (WHERE is_active) FROM users',
    ],
    attributes: [
      'SELECT attribute_id, user_serial, number, value COLLATE "C" FROM listed_attributes',
      `SELECT DISTINCT id, serial, CASE type WHEN 'number' THEN text::numeric END, left(text, 201) COLLATE "C"
       FROM users JOIN attributes ON is_filterable AND users.attributes ? id::text
         CROSS JOIN jsonb_array_elements_text(CASE type
           WHEN 'list' THEN users.attributes -> id::text ELSE jsonb_build_array(users.attributes -> id::text) END) AS text`,
    ],
    changes: [
      'SELECT user_serial, seq FROM user_changes',
      'SELECT user_serial, seq FROM ONLY changes WHERE user_serial IS NOT NULL',
    ],
    calls: [
      'SELECT call_id, first_seq, last_seq FROM call_changes',
      'SELECT call_id, min(seq), max(seq) FROM ONLY changes WHERE call_id IS NOT NULL AND user_serial IS NOT NULL GROUP BY 1',
    ],
  };
  for (const [name, [indexed, actual]] of Object.entries(pairs)) {
    const { rows } = await db.query(
      `((${indexed}) EXCEPT ALL (${actual})) UNION ALL ((${actual}) EXCEPT ALL (${indexed})) LIMIT 3`,
    );
    expect([name, rows]).toEqual([name, []]);
  }
  const { rows: users } = await db.query<SearchedFields>(
    `SELECT serial, employee_id AS "employeeID", name, username, email, phone, attributes::text AS attributes
     FROM users ORDER BY serial`,
  );
  const { rows: words } = await db.query('SELECT serial, words FROM user_listing ORDER BY serial');
  const textsOf = await searchedTexts(db);
  const documentOf = (user: SearchedFields) =>
    searchDocument({ ...user, attributeTexts: textsOf(user.attributes) });
  expect(words).toEqual(users.map((user) => ({ serial: user.serial, words: documentOf(user) })));
  const { rows: known } = await db.query<{ word: string; users: number }>(
    'SELECT word, users FROM name_words',
  );
  const counted = new Map<string, number>();
  for (const { name } of (await db.query<{ name: string }>('SELECT name FROM users')).rows)
    for (const word of nameWords(name)) counted.set(word, (counted.get(word) ?? 0) + 1);
  expect(new Map(known.map(({ word, users: count }) => [word, count]))).toEqual(counted);
}
