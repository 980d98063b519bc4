import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const files = readdirSync(new URL('migrations', root)).sort();
const released: { version: string; migrations: Record<string, string> } = JSON.parse(
  read('test/support/released-migrations.json'),
);
const unreleased = files.filter((file) => !(file in released.migrations));

/** What takes away something that nodes of the last release may still use. */
const contracting =
  /\bDROP\s+(?:TABLE|COLUMN|VIEW|FUNCTION|SEQUENCE|TYPE|TRIGGER)\b|\bRENAME\b|\bSET\s+NOT\s+NULL\b|\bALTER\s+COLUMN\s+\w+\s+(?:SET\s+DATA\s+)?TYPE\b|\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT)\w+[^,;]*\bNOT\s+NULL\b(?![^,;]*\bDEFAULT\b|[^,;]*\bGENERATED\b)/i;

/** Statements with the comments above them. */
function statementsIn(sql: string): string[] {
  return sql.split(/;[ \t]*$/m).filter((statement) => withoutComments(statement).trim() !== '');
}

function withoutComments(sql: string): string {
  return sql.replaceAll(/--.*$/gm, '');
}

function takingAway(sql: string): string[] {
  return statementsIn(sql)
    .filter((statement) => /^\s*ALTER\s+INDEX\b/i.test(withoutComments(statement)) === false)
    .filter(
      (statement) => contracting.test(withoutComments(statement)) && !/^-- Contract: \S/m.test(statement),
    )
    .map((statement) => withoutComments(statement).trim());
}

const releasedTables = Object.keys(released.migrations).flatMap((file) =>
  Array.from(
    read(`migrations/${file}`).matchAll(/\bCREATE (?:UNLOGGED )?TABLE (\w+)/g),
    ([, table]) => table,
  ),
);
const concurrentIndex = /^\s*CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS \w+ ON \w+ /;

/** Indexes that block whoever writes to a table that was there before, and may be large. */
function blocking(sql: string): string[] {
  return statementsIn(sql)
    .map((statement) => withoutComments(statement).trim())
    .filter((statement) => {
      const [, table] = /^CREATE (?:UNIQUE )?INDEX \w+ ON (\w+)/.exec(statement) ?? [];
      return releasedTables.includes(table) || table === 'archived_changes';
    });
}

describe('migrations', () => {
  test(`of ${released.version} have not been edited since`, () => {
    const digests = Object.keys(released.migrations).map((file) => [
      file,
      digestOf(read(`migrations/${file}`)),
    ]);
    expect(Object.fromEntries(digests)).toEqual(released.migrations);
  });

  test('are compared with the release in package.json', () => {
    expect(released.version).toBe(JSON.parse(read('package.json')).version);
  });

  test.each(unreleased)(
    '%s takes away nothing that nodes of the last release use, or says why it may',
    (file) => {
      expect(takingAway(read(`migrations/${file}`))).toEqual([]);
    },
  );

  test.each(unreleased)(
    '%s builds indexes of existing tables while others write, in a file of its own',
    (file) => {
      const sql = read(`migrations/${file}`);
      expect(blocking(sql)).toEqual([]);
      if (!sql.includes('CONCURRENTLY')) return;
      const others = statementsIn(sql).filter(
        (statement) => !concurrentIndex.test(withoutComments(statement)),
      );
      expect(others).toEqual([]);
    },
  );
});

describe('the check of migrations', () => {
  test('finds an index that blocks writers', () => {
    const create = 'CREATE INDEX users__phone ON users (phone)';
    expect(blocking(`-- Phones.\n${create};\nCREATE INDEX a ON new_table (b);`)).toEqual([create]);
  });

  test.each([
    'DROP TABLE tags;',
    'ALTER TABLE users DROP COLUMN phone;',
    'DROP FUNCTION user_words;',
    'ALTER TABLE users RENAME COLUMN phone TO mobile;',
    'ALTER TABLE users ALTER COLUMN email SET NOT NULL;',
    'ALTER TABLE users ALTER COLUMN version TYPE bigint;',
    'ALTER TABLE users ADD COLUMN region text NOT NULL;',
    '-- Unused.\nDROP TABLE tags;',
  ])('finds %s', (sql) => {
    expect(takingAway(sql)).toHaveLength(1);
  });

  test.each([
    'CREATE TABLE tags (serial text NOT NULL);',
    'ALTER TABLE users ADD COLUMN region text;',
    "ALTER TABLE users ADD COLUMN region text NOT NULL DEFAULT '';",
    'DROP INDEX users__name;',
    '-- Contract: not used since 0.3.0.\nDROP TABLE tags;',
    '-- DROP TABLE tags would be wrong.\nCREATE INDEX a ON b (c);',
  ])('accepts %s', (sql) => {
    expect(takingAway(sql)).toEqual([]);
  });
});

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
