import { describe, expect, test } from 'vitest';
import { erased } from '../../support/erasure.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { errorOf, letDaysPass, quarantineSettings } from '../../support/quarantine.js';
import { aUser, newId, useService } from '../../support/service.js';
import { tablesHolding } from '../../support/stored-text.js';

const service = useService(quarantineSettings);

const paths = { employeeID: 'employee-ids', username: 'usernames' } as const;
type Kind = keyof typeof paths;
const release = (kind: Kind, name: string) =>
  service.request('POST', `/service/${paths[kind]}/${encodeURIComponent(name)}/release`);

async function givenReleased(kind: Kind) {
  const name = newId('R');
  const { serial } = await service.givenUser({ [kind]: name });
  await service.request('PATCH', `/service/users/${serial}`, { body: { [kind]: newId('N') } });
  return { name, serial };
}

const events = async (serial: string) =>
  (await service.get(`/service/access-events?userSerial=${serial}&kind=name.released`)).json.data.items;

describe.each(['employeeID', 'username'] as const)('releasing a quarantined %s', (kind) => {
  test('lets anyone take it, and is recorded', async () => {
    const { name, serial } = await givenReleased(kind);
    const { data } = errorOf(await service.post('/service/users?details=true', aUser({ [kind]: name })));
    const reply = await release(kind, name);
    const wasQuarantinedUntil = data.quarantined.quarantinedUntil;
    expect(reply.json).toEqual({
      status: 'success',
      message: expect.stringMatching(/ is not quarantined\.$/),
      data: { [kind]: name, wasQuarantinedUntil },
    });
    const value = kind === 'username' ? name.toLowerCase() : name;
    expect(await events(serial)).toMatchObject([{ detail: { field: kind, value, wasQuarantinedUntil } }]);
    await service.givenUser({ [kind]: name });
  });

  test('counts only until the name is released again', async () => {
    const { name } = await givenReleased(kind);
    await release(kind, name);
    expect((await release(kind, name)).json.data.wasQuarantinedUntil).toBeNull();
    const { serial } = await service.givenUser({ [kind]: name });
    await service.request('PATCH', `/service/users/${serial}`, { body: { [kind]: newId('N') } });
    expect((await service.post('/service/users', aUser({ [kind]: name }))).status).toBe(409);
  });

  test('changes nothing if it is not quarantined, or is held', async () => {
    const { name, serial } = await givenReleased(kind);
    await letDaysPass(service, [serial], 31);
    expect((await release(kind, name)).json.data).toEqual({ [kind]: name, wasQuarantinedUntil: null });
    await service.givenUser({ [kind]: name });
    await letDaysPass(service, [serial], -31);
    expect((await release(kind, name)).json.data).toEqual({ [kind]: name, wasQuarantinedUntil: null });
    expect(await events(serial)).toEqual([]);
  });

  test('fails if nobody has had it', async () => {
    for (const name of ['never', 'a b', 'x'.repeat(300)])
      expectFailure(await release(kind, name), 404, 10102, 'USER_NOT_FOUND', /^No user has or had the /);
  });
});

describe('GET /service/employee-ids/{id}', () => {
  const quarantinedUntil = async (id: string) =>
    (await service.get(`/service/employee-ids/${id}`)).json.data.quarantinedUntil;

  test('shows until when the ID is quarantined', async () => {
    const { name } = await givenReleased('employeeID');
    const { data } = errorOf(await service.post('/service/users?details=true', aUser({ employeeID: name })));
    expect(await quarantinedUntil(name)).toBe(data.quarantined.quarantinedUntil);
    await release('employeeID', name);
    expect(await quarantinedUntil(name)).toBeNull();
  });

  test('shows nothing of an ID that a user has', async () => {
    const { name, serial } = await givenReleased('employeeID');
    await service.request('PATCH', `/service/users/${serial}`, { body: { employeeID: name } });
    expect(await quarantinedUntil(name)).toBeNull();
  });
});

describe('the names of an erased user', () => {
  test('stay quarantined, although nothing tells who had them', async () => {
    const [employeeID, username, former] = [newId(), newId('u'), newId()];
    const { serial } = await service.givenUser({ employeeID: former, username });
    await service.request('PATCH', `/service/users/${serial}`, { body: { employeeID } });
    await indexNow(service);
    await erased(service, serial);
    for (const name of [employeeID, former]) {
      const reply = await service.post('/service/users?details=true', aUser({ employeeID: name }));
      expect(errorOf(reply)).toMatchObject({ errorCode: 10101, data: { quarantined: { value: name } } });
    }
    const taken = await service.post('/service/users', aUser({ username: username.toUpperCase() }));
    expect(taken.json).toMatchObject({ errorCode: 10103 });
    expect(await tablesHolding(service, employeeID)).toEqual([]);
    const history = await service.get(`/service/employee-ids/${employeeID}`);
    expect(history.json.data).toMatchObject({ holder: null, quarantinedUntil: expect.any(String) });
  });

  test('can be released early', async () => {
    const { serial, employeeID } = await service.givenUser();
    await erased(service, serial);
    expect((await release('employeeID', employeeID)).json.data.wasQuarantinedUntil).not.toBeNull();
    expect((await service.post('/service/users', aUser({ employeeID }))).status).toBe(201);
  });
});
