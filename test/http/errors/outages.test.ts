import { describe, expect, test } from 'vitest';
import { expectFailure } from '../../support/expect-failure.js';
import { whenStored } from '../../support/sabotage.js';
import { aUser, useService } from '../../support/service.js';

const service = useService();

async function exists(employeeID: string): Promise<boolean> {
  const reply = await service.get(`/service/users?employeeID=${employeeID}`);
  return reply.json.data.items.length > 0;
}

test('an internal error fails with 500 and 10999, reveals no cause and leaves nothing behind', async () => {
  const user = aUser({ password: 'a password' });
  await whenStored(service, user.employeeID, `RAISE EXCEPTION 'a fault'`, 'at the commit');
  const reply = await service.post('/service/users', user);
  const detail = /^The service failed unexpectedly\. The operator can find/;
  expectFailure(reply, 500, 10999, 'SERVICE_INTERNAL_ERROR', detail);
  expect(reply.headers.get('x-request-id')).toMatch(/.+/);
  expect(await exists(user.employeeID)).toBe(false);
});

describe('a broken connection', () => {
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
