import pg from 'pg';
import { expect, test } from 'vitest';
import { usesPooler } from '../../src/storage/pooler-client.js';
import { createDatabase, TestService } from '../support/service.js';

/** With settings in which dates, texts and transactions mean something else. */
async function makeForeign(databaseUrl: string): Promise<void> {
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const name = new URL(databaseUrl).pathname.slice(1);
  const settings = {
    DateStyle: 'SQL, DMY',
    IntervalStyle: 'iso_8601',
    TimeZone: 'Asia/Kolkata',
    bytea_output: 'escape',
    standard_conforming_strings: 'off',
    default_transaction_isolation: 'serializable',
  };
  for (const [setting, value] of Object.entries(settings))
    await owner.query(`ALTER DATABASE ${name} SET ${setting} = '${value}'`);
  await owner.end();
}

test.each([
  ['auto', { isPooled: false, names: true }],
  ['transaction', { isPooled: true, names: false }],
])('works on a direct connection with ROLLCALL_DATABASE_POOLING=%s', async (pooling, { isPooled, names }) => {
  const databaseUrl = await createDatabase();
  await makeForeign(databaseUrl);
  const service = await TestService.start({
    DATABASE_URL: databaseUrl,
    ROLLCALL_DATABASE_POOLING: pooling,
    ROLLCALL_POOL_CONNECTIONS_MAX: '1',
    ROLLCALL_STATEMENT_TIMEOUT_MS: '12345',
  });
  try {
    const { database } = service;
    expect(await usesPooler(database)).toBe(isPooled);
    const { serial } = await service.givenUser();
    expect((await service.get('/service/users')).json.data.items).toContainEqual(
      await service.readUser(serial),
    );
    const { rows } = await database.pool.query(`SELECT current_setting('statement_timeout') AS timeout,
      current_setting('DateStyle') AS dates, current_setting('TimeZone') AS zone,
      current_setting('transaction_isolation') AS isolation,
      EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'get-user') AS names`);
    const ours = { dates: 'ISO, MDY', zone: 'UTC', isolation: 'read committed' };
    expect(rows).toEqual([{ timeout: '12345ms', ...ours, names }]);
  } finally {
    await service.stop();
  }
});
