import { expect, onTestFinished, test } from 'vitest';
import { enterprise, givenScimProvider, type ScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

interface Created {
  readonly id: string;
  readonly employeeID: string;
}

async function givenUsers(client: ScimProvider, count: number): Promise<Created[]> {
  const users = Array.from({ length: count }, () => newId('E').replace(/[^A-Za-z0-9]/g, ''));
  const { json } = await client.bulk(
    users.map((employeeNumber) => ({
      method: 'POST',
      path: '/Users',
      bulkId: employeeNumber,
      data: {
        userName: employeeNumber,
        emails: [{ value: 'someone@x.example' }],
        [enterprise]: { employeeNumber },
      },
    })),
  );
  return json.Operations.map(({ location }: { location: string }, at: number) => ({
    id: location.split('/').at(-1) as string,
    employeeID: users[at] as string,
  }));
}

const patch = ({ id }: Created, ...operations: readonly object[]) => ({
  method: 'PATCH',
  path: `/Users/${id}`,
  data: { Operations: operations },
});

const named = (name: string) => ({ op: 'replace', path: 'displayName', value: name });

/** As [status, version] of each operation. */
async function outcomes(client: ScimProvider, operations: readonly object[]) {
  const { json } = await client.bulk(operations);
  return json.Operations.map(({ status, version }: Record<string, string>) => [status, version]);
}

test('users of whom nothing changes need not wait for those who lock them', async () => {
  const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
  const [locked, other] = (await givenUsers(client, 2)) as [Created, Created];
  const holder = await service.database.pool.connect();
  onTestFinished(() => holder.release());
  await holder.query('BEGIN');
  await holder.query('SELECT FROM users WHERE serial = $1 FOR UPDATE', [locked.id]);
  const same = { op: 'replace', path: 'active', value: true };
  expect(await outcomes(client, [patch(locked, same), patch(other, named('Ada'))])).toEqual([
    ['200', 'W/"1"'],
    ['200', 'W/"2"'],
  ]);
  await holder.query('ROLLBACK');
});

test('what fails leaves the other operations as they are', async () => {
  const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
  const [one, two, three] = (await givenUsers(client, 3)) as [Created, Created, Created];
  const operations = [
    patch(one, named('Ada')),
    { ...patch(two, named('Bob')), version: 'W/"7"' },
    patch({ ...two, id: '00000000-0000-7000-8000-000000000000' }, named('Cyd')),
    patch(three, { op: 'burn' }),
  ];
  expect(await outcomes(client, operations)).toEqual([
    ['200', 'W/"2"'],
    ['412', undefined],
    ['404', undefined],
    ['400', undefined],
  ]);
});

test('operations see what earlier ones do to names and status', async () => {
  const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
  const [manager, report, taker] = (await givenUsers(client, 3)) as [Created, Created, Created];
  const renamed = newId('E').replace(/[^A-Za-z0-9]/g, '');
  const employeeNumber = `${enterprise}:employeeNumber`;
  const operations = [
    patch(
      manager,
      { op: 'replace', path: employeeNumber, value: renamed },
      { op: 'replace', path: 'active', value: false },
    ),
    patch(report, { op: 'add', path: `${enterprise}:manager`, value: { value: renamed } }),
    patch(taker, { op: 'replace', path: employeeNumber, value: manager.employeeID }),
  ];
  expect(await outcomes(client, operations)).toEqual([
    ['200', 'W/"2"'],
    ['200', 'W/"2"'],
    ['200', 'W/"2"'],
  ]);
  const { json } = await client.send('GET', `/Users/${report.id}`);
  expect(json[enterprise].manager).toMatchObject({ value: manager.id });
});
