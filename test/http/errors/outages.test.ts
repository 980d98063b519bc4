import { describe, expect, inject, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, TestService, useOwnService } from '../../support/service.js';

const service = useOwnService({ ROLLCALL_LOCK_TIMEOUT_MS: '100' });

/** The embedded database is one connection in the process: nothing can lock it out or cut it off. */
const embedded = inject('engine') === 'embedded';

async function exists(employeeID: string): Promise<boolean> {
  const reply = await service.get(`/service/users?employeeID=${employeeID}`);
  return reply.json.data.items.length > 0;
}

describe('a fault of the service gets 500 with 10999', () => {
  test('which says nothing of its cause, leaves nothing behind, and ends with its cause', async () => {
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

  test('in the middle of a create with a password, which leaves no part of it', async () => {
    const user = aUser({ password: 'a password' });
    await whenStored(service, user.employeeID, `RAISE EXCEPTION 'a fault'`, 'at the commit');
    expect((await service.post('/service/users', user)).json.errorCode).toBe(10999);
    expect(await exists(user.employeeID)).toBe(false);
  });
});

describe.skipIf(embedded)(
  'a database that is in the way (PostgreSQL alone: the embedded one has no rivals)',
  () => {
    test('with a lock held too long gets 503 with 10901, and the change can be sent again', async () => {
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

describe.skipIf(embedded)('a connection that breaks (PostgreSQL alone: the embedded one has none)', () => {
  const terminate = 'PERFORM pg_terminate_backend(pg_backend_pid())';

  test.each([
    ['a create', {}, 'at once'],
    ['a create with a password', { password: 'a password' }, 'at the commit'],
  ] as const)('during the commit of %s gets 503 with 10902: nobody can tell', async (_, more, moment) => {
    const user = aUser(more);
    await whenStored(service, user.employeeID, terminate, moment);
    const reply = await service.post('/service/users', user);
    const detail = /Read the user to see whether the change was applied/;
    expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', detail);
    expect(await exists(user.employeeID)).toBe(false);
  });

  test('during the commit of a patch gets 503 with 10902', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, terminate, 'at the commit');
    const reply = await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'X' } });
    expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', /was lost during the commit/);
  });

  test('before the commit gets 503 with 10901: nothing was changed', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, terminate);
    const reply = await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'X' } });
    const detail = /^The database is unreachable. Nothing was changed; retry the request/;
    expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', detail);
    expect((await service.readUser(user.serial)).name).toBe(user.name);
  });

  test('while a bulk update is committed gets 503 with 10902, and a fresh connection serves the next call', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, terminate, 'at the commit');
    const item = { employeeID: user.employeeID, name: 'X', isActive: true };
    const reply = await service.updateBulk([item]);
    expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', /was lost during the commit/);
    expect((await service.readUser(user.serial)).name).toBe(user.name);
  });
});
