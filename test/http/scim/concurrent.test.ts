import { expect, test } from 'vitest';
import { enterprise, givenScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

test('concurrent PATCHes are all applied, each once and with the ID of its own request, also those of the same user', async () => {
  const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
  const prefix = newId('c').replace(/[^A-Za-z0-9]/g, '');
  const created = await Promise.all(
    Array.from({ length: 6 }, (_, each) =>
      client.send('POST', '/Users', {
        userName: `${prefix}${each}`,
        emails: [{ value: 'someone@x.example' }],
        [enterprise]: { employeeNumber: `${prefix}${each}` },
      }),
    ),
  );
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 201));
  const ids: string[] = created.map(({ json }) => json.id);
  const [shared] = ids;
  const changes = [
    ...ids.map((id, each) => ({ id, op: 'replace', path: 'displayName', value: `Name ${each}` })),
    { id: shared, op: 'replace', path: 'title', value: 'Engineer' },
    { id: shared, op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '+49 30 1234567' },
  ];
  const replies = await Promise.all(
    changes.map(({ id, ...operation }) => client.send('PATCH', `/Users/${id}`, { Operations: [operation] })),
  );
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 204));

  const users = await Promise.all(ids.map((id) => client.send('GET', `/Users/${id}`)));
  expect(users.map(({ json }) => json.displayName)).toEqual(ids.map((_, each) => `Name ${each}`));
  expect(users[0]?.json).toMatchObject({
    title: 'Engineer',
    phoneNumbers: [{ value: '+49 30 1234567' }],
    meta: { version: 'W/"4"' },
  });
  const { rows } = await service.database.pool.query(
    `SELECT request_id FROM changes WHERE user_serial = ANY ($1::uuid[]) AND kind = 'updated'`,
    [ids],
  );
  expect(new Set(rows.map(({ request_id }) => request_id)).size).toBe(changes.length);
});
