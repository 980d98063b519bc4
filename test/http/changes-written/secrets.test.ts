import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { changesOfCall } from '../../support/change-rows.js';
import { aUser, newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();

/** Appears only in the request that carries it. */
const canary = () => newId('Canary');
const withKey = () => ({ headers: { 'idempotency-key': newId('key') } });

describe('a password appears in no change, call, stored response or report', () => {
  test.each([
    ['created', () => ({})],
    ['rejected because of a taken name', (taken: string) => ({ employeeID: taken })],
    ['rejected because of an invalid field', () => ({ email: 'none' })],
  ])('when a user is %s, with and without a key', async (_, fields) => {
    const password = canary();
    const { employeeID } = await service.givenUser();
    for (const options of [{}, withKey()]) {
      const reply = await service.post('/service/users', aUser({ password, ...fields(employeeID) }), options);
      expect(reply.text).not.toContain(password);
    }
    expect(await tablesHolding(service, password)).toEqual([]);
  });

  test('when the users of a bulk call are created or rejected, with effects or as a dry run', async () => {
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

  test('and the fields of a change are only those of the user', async () => {
    const user = aUser({ password: canary() });
    const reply = await service.createBulk([user]);
    const [row] = await changesOfCall(service, reply.headers.get('x-call-id') ?? '');
    expect(Object.keys(row?.fields ?? {}).sort()).toEqual(['email', 'employeeID', 'isActive', 'name']);
  });
});
