import { expect, test } from 'vitest';
import { usesPooler } from '../../src/storage/pooler-client.js';
import { TestService } from '../support/service.js';

test.each([
  ['auto', { isPooled: false, names: true }],
  ['transaction', { isPooled: true, names: false }],
])('works on a direct connection with ROLLCALL_DATABASE_POOLING=%s', async (pooling, { isPooled, names }) => {
  const service = await TestService.start({
    ROLLCALL_DATABASE_POOLING: pooling,
    ROLLCALL_POOL_CONNECTIONS_MAX: '1',
    ROLLCALL_STATEMENT_TIMEOUT_MS: '12345',
  });
  try {
    const { database } = service;
    expect(await usesPooler(database)).toBe(isPooled);
    const { serial } = await service.givenUser();
    expect((await service.readUser(serial)).serial).toBe(serial);
    const { rows } = await database.pool.query(`SELECT current_setting('statement_timeout') AS timeout,
      EXISTS (SELECT FROM pg_prepared_statements WHERE name = 'get-user') AS names`);
    expect(rows).toEqual([{ timeout: '12345ms', names }]);
  } finally {
    await service.stop();
  }
});
