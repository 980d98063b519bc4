import { expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { aUser, newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService();

const withKey = () => ({ headers: { 'idempotency-key': newId('key') } });

test('a password appears in no change, call, stored response or report, whatever becomes of its user', async () => {
  const password = newId('Canary');
  const { employeeID } = await service.givenUser();
  const fates = [{}, { employeeID }, { email: 'none' }];
  for (const fields of fates) {
    for (const options of [{}, withKey()]) {
      const reply = await service.post('/service/users', aUser({ password, ...fields }), options);
      expect(reply.text).not.toContain(password);
    }
  }
  for (const query of ['', '?effects=true', '?dryRun=true', '?deliver=hold']) {
    const items = [
      ...fates.map((fields) => aUser({ password, ...fields })),
      aUser({ password: [password] }),
      aUser({ password: password.repeat(20) }),
    ];
    const reply = await service.post(`/service/users/create-bulk${query}`, { items }, withKey());
    expect(serialsOf(reply)).toHaveLength(1);
    expect(reply.text).not.toContain(password);
  }
  expect(await tablesHolding(service, password)).toEqual([]);
});
