import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { changesOfCall } from '../../support/change-rows.js';
import { aUser, newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();

/** Found nowhere but in the request that it is sent in. */
const canary = () => newId('Canary');
const withKey = () => ({ headers: { 'idempotency-key': newId('key') } });

describe('a password is told by no change, no call, no stored answer and no report', () => {
  test.each([
    ['created', () => ({})],
    ['refused over a name', (taken: string) => ({ employeeID: taken })],
    ['refused over a field', () => ({ email: 'none' })],
  ])('of a user who is %s, with a key and without', async (_, fields) => {
    const password = canary();
    const { employeeID } = await service.givenUser();
    for (const options of [{}, withKey()]) {
      const reply = await service.post('/service/users', aUser({ password, ...fields(employeeID) }), options);
      expect(reply.text).not.toContain(password);
    }
    expect(await tablesHolding(service, password)).toEqual([]);
  });

  test('of users of a bulk call, created, refused or broken, with effects or previewed', async () => {
    const password = canary();
    const { employeeID } = await service.givenUser();
    const items = () => [
      aUser({ password }),
      aUser({ password, employeeID }),
      aUser({ password, email: 'none' }),
      aUser({ password: [password] }),
      aUser({ password: password.repeat(20) }),
    ];
    for (const query of ['', '?effects=true', '?dryRun=true', '?deliver=hold']) {
      const path = `/service/users/create-bulk${query}`;
      const reply = await service.post(path, { items: items() }, withKey());
      expect(serialsOf(reply)).toHaveLength(1);
      expect(reply.text).not.toContain(password);
    }
    expect(await tablesHolding(service, password)).toEqual([]);
  });

  test('and the fields of a change are those of the user alone', async () => {
    const user = aUser({ password: canary() });
    const reply = await service.createBulk([user]);
    const [row] = await changesOfCall(service, reply.headers.get('x-call-id') ?? '');
    expect(Object.keys(row?.fields ?? {}).sort()).toEqual(['email', 'employeeID', 'isActive', 'name']);
  });
});
