import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { itemFor } from '../../support/bulk-items.js';
import { givenCreates, givenUpdates, leaveRunning, readCall, undo, verdictsOf } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { givenPerson } from '../../support/people.js';
import { aUser, issueToken, useService } from '../../support/service.js';

const service = useService();

async function givenCall(): Promise<string> {
  return (await givenCreates(service, [aUser()])).callId;
}

describe('an undo of an unknown call fails with 404 and 10301', () => {
  test.each([
    ['an unknown ID', '0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
    ['the nil UUID', '00000000-0000-0000-0000-000000000000'],
    ['text that is not an ID', 'nightly'],
    ['a UUID without hyphens', '0198c0de7a1170008000005f1e2d3c4b'],
    ['SQL syntax', "1'%20OR%20'1'='1"],
  ])('%s', async (_, id) => {
    expectFailure(
      await undo(service, id),
      404,
      10301,
      'CALL_NOT_FOUND',
      /^No bulk call has this ID\. Use the X-Call-Id header of the reply to the call\. Previews are not recorded/,
    );
  });

  test('the serial of a user and the ID of a request', async () => {
    const { serial } = await service.givenUser();
    expect((await undo(service, serial)).status).toBe(404);
    const reply = await service.updateBulk([]);
    expect((await undo(service, reply.headers.get('x-request-id') as string)).status).toBe(404);
  });

  test('and a dry run returns no call ID to undo', async () => {
    for (const operation of ['create-bulk', 'update-bulk']) {
      const reply = await service.post(`/service/users/${operation}?dryRun=true`, { items: [] });
      expect(reply.status).toBe(200);
      expect(reply.headers.get('x-call-id')).toBeNull();
    }
  });
});

describe('an undo rejects with 10005', () => {
  test.each([
    [
      'an unknown parameter',
      'force=true',
      /"force" is unknown. Use effectiveAt, approval, ifChanged, dryRun, confirm/,
    ],
    ['a parameter of bulk calls', 'effects=true', /"effects" is unknown/],
    ['a parameter in another case', 'dryrun=true', /"dryrun" is unknown/],
    ['a repeated dryRun', 'dryRun=true&dryRun=true', /"dryRun" appears more than once/],
    ['dryRun as a number', 'dryRun=1', /"dryRun" must be one of true, false/],
    ['an empty dryRun', 'dryRun=', /"dryRun" must be one of true, false/],
    ['a word as confirm', 'confirm=all', /"confirm" must be a whole number/],
    ['a negative confirm', 'confirm=-1', /"confirm" must be a whole number/],
    ['a fraction as confirm', 'confirm=1.0', /"confirm" must be a whole number/],
    ['an exponent as confirm', 'confirm=1e1', /"confirm" must be a whole number/],
    ['an empty confirm', 'confirm=', /"confirm" must be a whole number/],
    ['a repeated confirm', 'confirm=1&confirm=1', /"confirm" appears more than once/],
    ['a confirm that overflows', `confirm=${'9'.repeat(30)}`, /"confirm" must be a whole number/],
  ])('%s, and changes nothing', async (_, query, detail) => {
    const callId = await givenCall();
    expectFailure(await undo(service, callId, `?${query}`), 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
    expect((await readCall(service, callId)).undoneBy).toBeNull();
  });
});

describe('an undo requires users:write', () => {
  test('of a client, which no other scope implies', async () => {
    const callId = await givenCall();
    const others = await issueToken(
      service.url,
      await createdClient(service, ['users:read', 'access:admin', 'audit:read']),
    );
    for (const query of ['', '?dryRun=true']) {
      expectFailure(
        await undo(service, callId, query, { token: others }),
        403,
        10203,
        'ACCESS_SCOPE_MISSING',
        /^This operation requires the scope users:write\. /,
      );
    }
    expectFailure(await undo(service, callId, '', { token: null }), 401, 10201, 'ACCESS_TOKEN_REQUIRED', /./);
    expect((await readCall(service, callId)).undoneBy).toBeNull();
    const writer = await issueToken(service.url, await createdClient(service, ['users:write']));
    expect((await undo(service, callId, '', { token: writer })).status).toBe(200);
  });

  test('of a user: an operator may undo, a viewer may not', async () => {
    const callId = await givenCall();
    const [viewer, operator] = [await givenPerson(service, 'viewer'), await givenPerson(service, 'operator')];
    const refused = await undo(service, callId, '', { token: viewer.token });
    expectFailure(
      refused,
      403,
      10203,
      'ACCESS_SCOPE_MISSING',
      /users:write\. Your role does not include it; ask an administrator for access\.$/,
    );
    expect((await undo(service, callId, '', { token: operator.token })).status).toBe(200);
  });

  test('but not to be the caller of the original call', async () => {
    const user = await service.givenUser();
    const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Wrong' })]);
    const other = await issueToken(service.url, await createdClient(service));
    expect(verdictsOf(await undo(service, callId, '', { token: other }))).toEqual({
      [user.employeeID]: 'updated',
    });
  });
});

test('an undo of a running call fails with 409 and 10302 and leaves the call to its node', async () => {
  const user = await service.givenUser();
  const callId = await givenUpdates(service, [itemFor(user.employeeID, { name: 'Call' })]);
  await leaveRunning(service, callId, 'still');
  const { rows: before } = await service.database.pool.query('SELECT * FROM calls WHERE id = $1', [callId]);
  const refused = await undo(service, callId);
  expectFailure(
    refused,
    409,
    10302,
    'CALL_RUNNING',
    /^The call is still running\. Undo it after it has finished\.$/,
  );
  const { rows: after } = await service.database.pool.query('SELECT * FROM calls WHERE id = $1', [callId]);
  expect(after).toEqual(before);
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'Call' });
});

test('an undo of a call with pruned changes fails with 410 and 10303', async () => {
  const [a, b] = [await service.givenUser(), await service.givenUser()];
  const callId = await givenUpdates(
    service,
    [a, b].map(({ employeeID }) => itemFor(employeeID, { name: 'Call' })),
  );
  for (const [{ serial }, left] of [
    [a, 1],
    [b, 0],
  ] as const) {
    await service.database.pool.query('DELETE FROM changes WHERE call_id = $1 AND user_serial = $2', [
      callId,
      serial,
    ]);
    const detail = new RegExp(
      `^The call can no longer be undone: only ${left} of its 2 changes are still in the change log\\.`,
    );
    expectFailure(await undo(service, callId), 410, 10303, 'CALL_TOO_OLD', detail);
    expect(await service.readUser(b.serial)).toMatchObject({ name: 'Call' });
  }
  expect((await readCall(service, callId)).undoneBy).toBeNull();
});
