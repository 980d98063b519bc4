import { describe, expect, inject, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, TestService, useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_LOCK_TIMEOUT_MS: '100' });

/** The embedded database is a single connection in the process: nothing can lock it or disconnect it. */
const embedded = inject('engine') === 'embedded';

async function exists(employeeID: string): Promise<boolean> {
  const reply = await service.get(`/service/users?employeeID=${employeeID}`);
  return reply.json.data.items.length > 0;
}

describe('an internal error fails with 500 and 10999', () => {
  test('without revealing its cause or leaving partial data, and ends once the cause is gone', async () => {
    const own = await TestService.start();
    try {
      const user = aUser();
      await own.database.pool.query('ALTER TABLE users RENAME TO users_away');
      const replies = [
        await own.post('/service/users', user),
        await own.get('/service/users'),
        await own.get('/service/users/0198c0de-7a11-7000-8000-5f1e2d3c4b5a'),
        await own.post('/service/users/lookup', { employeeIDs: [user.employeeID] }),
        await own.updateBulk([user].map(({ email: _, ...item }) => item)),
      ];
      for (const reply of replies) {
        expectFailure(
          reply,
          500,
          10999,
          'SERVICE_INTERNAL_ERROR',
          /^The service failed unexpectedly\. The operator can find/,
        );
        expect(reply.headers.get('x-request-id')).toMatch(/.+/);
      }
      await own.database.pool.query('ALTER TABLE users_away RENAME TO users');
      expect((await own.post('/service/users', user)).status).toBe(201);
    } finally {
      await own.stop();
    }
  });

  test('and leaves nothing behind when it occurs during a create with a password', async () => {
    const user = aUser({ password: 'a password' });
    await whenStored(service, user.employeeID, `RAISE EXCEPTION 'a fault'`, 'at the commit');
    expect((await service.post('/service/users', user)).json.errorCode).toBe(10999);
    expect(await exists(user.employeeID)).toBe(false);
  });
});

describe.skipIf(embedded)(
  'a blocked database (PostgreSQL only: the embedded engine has no concurrent transactions)',
  () => {
    test('fails with 503 and 10901 after the lock timeout, and the change can be resent', async () => {
      const { serial } = await service.givenUser();
      const change = () =>
        service.request('PATCH', `/service/users/${serial}`, { body: { name: 'Ada King' } });
      const rival = await service.database.pool.connect();
      try {
        await rival.query('BEGIN');
        await rival.query('SELECT FROM users WHERE serial = $1 FOR UPDATE', [serial]);
        const reply = await change();
        const detail = /^The database is overloaded. Nothing was changed; retry the request/;
        expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', detail);
        expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
        await rival.query('ROLLBACK');
        expect((await change()).status).toBe(200);
      } finally {
        rival.release();
      }
    });
  },
);

describe.skipIf(embedded)('a broken connection (PostgreSQL only: the embedded engine has none)', () => {
  const terminate = 'PERFORM pg_terminate_backend(pg_backend_pid())';

  test.each([
    ['a create', {}, 'at once'],
    ['a create with a password', { password: 'a password' }, 'at the commit'],
  ] as const)(
    'during the commit of %s fails with 503 and 10902, since the outcome is unknown',
    async (_, more, moment) => {
      const user = aUser(more);
      await whenStored(service, user.employeeID, terminate, moment);
      const reply = await service.post('/service/users', user);
      const detail = /Read the user to see whether the change was applied/;
      expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', detail);
      expect(await exists(user.employeeID)).toBe(false);
    },
  );

  test('during the commit of a patch fails with 503 and 10902', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, terminate, 'at the commit');
    const reply = await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'X' } });
    expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', /was lost during the commit/);
  });

  test('before the commit fails with 503 and 10901 and changes nothing', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, terminate);
    const reply = await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'X' } });
    const detail = /^The database is unreachable. Nothing was changed; retry the request/;
    expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', detail);
    expect((await service.readUser(user.serial)).name).toBe(user.name);
  });

  test('during the commit of a bulk update fails with 503 and 10902, and the next call reconnects', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, terminate, 'at the commit');
    const item = { employeeID: user.employeeID, name: 'X', isActive: true };
    const reply = await service.updateBulk([item]);
    expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', /was lost during the commit/);
    expect((await service.readUser(user.serial)).name).toBe(user.name);
  });
});
