import { randomBytes } from 'node:crypto';
import { decodeJwt } from 'jose';
import { describe, expect, test } from 'vitest';
import { askForToken, createdClient, revoke } from '../../support/api-clients.js';
import { givenClient } from '../../support/clients.js';
import { newId, type Reply, useService } from '../../support/service.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';
import { tablesHolding } from '../../support/stored-text.js';
import { nameKey, setWait, strictSignIn } from '../../support/strict-sign-in.js';

// Each request sets its own request ID and client address.
const service = useService(strictSignIn);

interface Origin {
  readonly requestId: string;
  readonly address: string;
  readonly headers: Record<string, string>;
}

let origins = 0;

function anOrigin(): Origin {
  const requestId = newId('request-');
  const address = `198.51.100.${++origins}`;
  return { requestId, address, headers: { 'x-request-id': requestId, 'x-forwarded-for': address } };
}

const uuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function eventsOf(query: string): Promise<Record<string, unknown>[]> {
  const reply = await service.get(`/service/access-events?${query}`);
  if (reply.status !== 200) throw new Error(reply.text);
  return reply.json.data.items;
}

/** The events recorded for one request. */
async function recordedOf({ requestId }: Origin): Promise<Record<string, unknown>[]> {
  const since = new Date(Date.now() - 600_000).toISOString();
  const all = await eventsOf(`since=${since}&limit=200`);
  return all.filter((event) => event.requestId === requestId);
}

function anEvent(kind: string, { requestId, address }: Origin, facts: Record<string, unknown>) {
  const nobody = { actor: null, userSerial: null, clientId: null, detail: {} };
  return { id: uuid, at: time, kind, requestId, address, ...nobody, ...facts };
}

async function actorOf(token: string): Promise<{ kind: string; id: string }> {
  const { kind, id } = (await service.get('/service/auth/me', { token })).json.data;
  return { kind, id };
}

function signIn(username: string, password: string, { headers }: Origin): Promise<Reply> {
  return service.post('/service/auth/sign-in', { username, password }, { token: null, headers });
}

describe('user actions are recorded', () => {
  test('sign-in.succeeded with the user', async () => {
    const { username, password, serial } = await givenSignedInUser(service);
    const origin = anOrigin();
    expect((await signIn(username, password, origin)).status).toBe(200);
    expect(await recordedOf(origin)).toEqual([anEvent('sign-in.succeeded', origin, { userSerial: serial })]);
  });

  test('sign-in.failed with the user, also if deactivated, without the password', async () => {
    const { username, password, serial } = await givenSignedInUser(service);
    const guess = newId('guessed password ');
    const [wrong, late] = [anOrigin(), anOrigin()];
    expect((await signIn(username, guess, wrong)).status).toBe(401);
    await service.request('PATCH', `/service/users/${serial}`, { body: { isActive: false } });
    expect((await signIn(username, password, late)).status).toBe(401);
    for (const origin of [wrong, late]) {
      expect(await recordedOf(origin)).toEqual([anEvent('sign-in.failed', origin, { userSerial: serial })]);
    }
    expect(await tablesHolding(service, guess)).toEqual([]);
    expect(service.logs).not.toContain(guess);
  });

  test('sign-in.failed and sign-in.delayed for an unknown username with only the time and address', async () => {
    const [failed, delayed] = [anOrigin(), anOrigin()];
    const typed = newId('MyPasswordTypedAsName');
    expect((await signIn(typed, 'x', failed)).status).toBe(401);
    await setWait(service, nameKey(service, typed), 90);
    expect((await signIn(typed, 'x', delayed)).status).toBe(429);
    expect(await recordedOf(failed)).toEqual([anEvent('sign-in.failed', failed, {})]);
    expect(await recordedOf(delayed)).toEqual([anEvent('sign-in.delayed', delayed, {})]);
    expect(await tablesHolding(service, typed)).toEqual([]);
    expect(await tablesHolding(service, typed.toLowerCase())).toEqual([]);
    expect(service.logs.toLowerCase()).not.toContain(typed.toLowerCase());
  });

  test('sign-out', async () => {
    const { token, serial } = await givenSignedInUser(service);
    const origin = anOrigin();
    const { headers } = origin;
    expect((await service.request('POST', '/service/auth/sign-out', { token, headers })).status).toBe(200);
    const actor = { kind: 'person', id: serial };
    expect(await recordedOf(origin)).toEqual([anEvent('sign-out', origin, { actor, userSerial: serial })]);
    expect(await tablesHolding(service, token)).toEqual([]);
  });

  test('password.changed without either password, and only when the change succeeds', async () => {
    const { token, serial, password } = await givenNewcomer(service);
    const newPassword = newId('a better password ');
    const [wrong, right] = [anOrigin(), anOrigin()];
    const change = (currentPassword: string, { headers }: Origin) =>
      service.post('/service/auth/change-password', { currentPassword, newPassword }, { token, headers });
    expect((await change('not it', wrong)).status).toBe(403);
    expect((await change(password, right)).status).toBe(200);
    expect(await recordedOf(wrong)).toEqual([]);
    const actor = { kind: 'person', id: serial };
    expect(await recordedOf(right)).toEqual([
      anEvent('password.changed', right, { actor, userSerial: serial }),
    ]);
    expect(await tablesHolding(service, newPassword)).toEqual([]);
    expect(await tablesHolding(service, password)).toEqual([]);
  });
});

describe('administrator actions on users are recorded', () => {
  test('password.reset', async () => {
    const { serial } = await givenSignedInUser(service);
    const origin = anOrigin();
    const { headers } = origin;
    const reply = await service.request('POST', `/service/users/${serial}/reset-password`, { headers });
    expect(reply.status).toBe(202);
    const actor = await actorOf(service.token);
    expect(actor.kind).toBe('client');
    expect(await recordedOf(origin)).toEqual([
      anEvent('password.reset', origin, { actor, userSerial: serial }),
    ]);
  });

  test('role.changed with the role before and after, but not when the role stays the same', async () => {
    const administrator = await givenSignedInUser(service, 'administrator');
    const { serial } = await givenSignedInUser(service);
    const [given, same, taken] = [anOrigin(), anOrigin(), anOrigin()];
    const { token } = administrator;
    const set = (role: string | null, { headers }: Origin) =>
      service.request('PUT', `/service/users/${serial}/role`, { body: { role }, headers, token });
    await set('operator', given);
    await set('operator', same);
    await set(null, taken);
    const actor = { kind: 'person', id: administrator.serial };
    const facts = (before: string | null, after: string | null) => ({
      actor,
      userSerial: serial,
      detail: { before, after },
    });
    expect(await recordedOf(given)).toEqual([anEvent('role.changed', given, facts(null, 'operator'))]);
    expect(await recordedOf(same)).toEqual([]);
    expect(await recordedOf(taken)).toEqual([anEvent('role.changed', taken, facts('operator', null))]);
  });

  test('delivery.resent with the delivery', async () => {
    const { serial } = await service.givenUser({ username: newId('u') });
    const [delivery] = (await service.get(`/service/deliveries?userSerial=${serial}`)).json.data.items;
    const origin = anOrigin();
    const { headers } = origin;
    const reply = await service.request('POST', `/service/deliveries/${delivery.id}/resend`, { headers });
    expect(reply.status, reply.text).toBe(200);
    const actor = await actorOf(service.token);
    const detail = { deliveryId: delivery.id };
    expect(await recordedOf(origin)).toEqual([
      anEvent('delivery.resent', origin, { actor, userSerial: serial, detail }),
    ]);
  });

  test('deliveries.released with the count, but not when none was released', async () => {
    const requestId = newId('bulk-');
    const user = (username: string) => ({ employeeID: username, name: 'A', email: 'a@b.c', username });
    const items = [newId('u'), newId('u')].map((username) => ({ ...user(username), isActive: true }));
    const created = await service.post(
      '/service/users/create-bulk?deliver=hold',
      { items },
      { headers: { 'x-request-id': requestId } },
    );
    expect(created.json.data.failedItems).toEqual([]);
    const [first, again] = [anOrigin(), anOrigin()];
    const release = ({ headers }: Origin) =>
      service.post('/service/deliveries/release', { requestId }, { headers });
    expect((await release(first)).json.data).toEqual({ released: 2 });
    expect((await release(again)).json.data).toEqual({ released: 0 });
    const actor = await actorOf(service.token);
    expect(await recordedOf(first)).toEqual([
      anEvent('deliveries.released', first, { actor, detail: { released: 2 } }),
    ]);
    expect(await recordedOf(again)).toEqual([]);
  });
});

describe('events of clients are recorded', () => {
  test('client.created with its name and scopes', async () => {
    const origin = anOrigin();
    const detail = { name: newId('Sync '), scopes: ['users:read', 'audit:read'] };
    const created = await service.post('/service/clients', detail, { headers: origin.headers });
    const clientId = created.json.data.id;
    const actor = await actorOf(service.token);
    expect(await recordedOf(origin)).toEqual([
      anEvent('client.created', origin, { actor, clientId, detail }),
    ]);
    expect(await tablesHolding(service, created.json.data.secret)).toEqual([]);
  });

  test('client.changed with the values before and after', async () => {
    const { clientId, path, data } = await createdClient(service);
    const origin = anOrigin();
    const body = { name: newId('Renamed '), scopes: ['audit:read'], isActive: false };
    await service.request('PATCH', path, { body, headers: origin.headers });
    const actor = await actorOf(service.token);
    const detail = {
      name: { before: data.name, after: body.name },
      scopes: { before: ['users:read', 'users:write'], after: ['audit:read'] },
      isActive: { before: true, after: false },
    };
    expect(await recordedOf(origin)).toEqual([
      anEvent('client.changed', origin, { actor, clientId, detail }),
    ]);
  });

  test('client.secret-rotated with the overlap', async () => {
    const { clientId, path } = await createdClient(service);
    const origin = anOrigin();
    const { headers } = origin;
    const body = { overlapSeconds: 60 };
    const rotated = await service.request('POST', `${path}/rotate`, { body, headers });
    const actor = await actorOf(service.token);
    expect(await recordedOf(origin)).toEqual([
      anEvent('client.secret-rotated', origin, { actor, clientId, detail: { overlapSeconds: 60 } }),
    ]);
    expect(await tablesHolding(service, rotated.json.data.secret)).toEqual([]);
  });

  test('token.refused at most once a minute per client and network', async () => {
    const [client, other] = [await givenClient(service), await givenClient(service)];
    const wrong = newId('a wrong secret ');
    const [first, third] = [anOrigin(), anOrigin()];
    const second = { ...first, headers: { ...first.headers, 'x-request-id': newId('request-') } };
    const ask = (clientId: string, { headers }: Origin) =>
      askForToken(service, { clientId, clientSecret: wrong }, undefined, headers);
    expect((await ask(client.clientId, first)).status).toBe(401);
    expect((await ask(client.clientId, second)).status).toBe(401);
    expect((await ask(other.clientId, third)).status).toBe(401);
    const detail = { reason: 'wrong-secret' };
    const refused = anEvent('token.refused', first, { clientId: client.clientId, detail });
    expect(await eventsOf(`clientId=${client.clientId}`)).toEqual([refused]);
    expect(await eventsOf(`clientId=${other.clientId}`)).toEqual([
      anEvent('token.refused', third, { clientId: other.clientId, detail }),
    ]);
    expect(await tablesHolding(service, wrong)).toEqual([]);
  });

  test('request.forbidden with actor, scope and route, at most once a minute', async () => {
    const { token } = await givenSignedInUser(service, 'viewer');
    const origin = anOrigin();
    const reply = await service.post('/service/users', {}, { token, headers: origin.headers });
    expect(reply.status).toBe(403);
    const again = anOrigin();
    await service.post('/service/users', {}, { token, headers: again.headers });
    const detail = { method: 'POST', route: '/service/users', scope: 'users:write' };
    expect(await recordedOf(origin)).toEqual([
      anEvent('request.forbidden', origin, { actor: await actorOf(token), detail }),
    ]);
    expect(await recordedOf(again)).toEqual([]);
  });

  test('token.refused for a disabled client with the correct secret', async () => {
    const client = await createdClient(service);
    await service.request('PATCH', client.path, { body: { isActive: false } });
    const origin = anOrigin();
    await askForToken(service, client, undefined, origin.headers);
    expect(await recordedOf(origin)).toEqual([
      anEvent('token.refused', origin, { clientId: client.clientId, detail: { reason: 'client-disabled' } }),
    ]);
  });

  test('token.refused for an unknown client only with an ID in our own format, since others might be secrets', async () => {
    const [typed, clientId] = [newId('a-secret-sent-as-id-'), `client-${randomBytes(6).toString('hex')}`];
    const [unknown, ours] = [anOrigin(), anOrigin()];
    const detail = { reason: 'unknown-client' };
    const ask = (id: string, { headers }: Origin) =>
      askForToken(service, { clientId: id, clientSecret: 'x' }, undefined, headers);
    expect((await ask(typed, unknown)).status).toBe(401);
    expect((await ask(clientId, ours)).status).toBe(401);
    expect(await recordedOf(unknown)).toEqual([anEvent('token.refused', unknown, { detail })]);
    expect(await recordedOf(ours)).toEqual([anEvent('token.refused', ours, { clientId, detail })]);
    expect(await tablesHolding(service, typed)).toEqual([]);
  });

  test('token.issued and token.revoked with the token ID, never the token', async () => {
    const client = await createdClient(service);
    const [asked, given] = [anOrigin(), anOrigin()];
    const { access_token: token } = (await askForToken(service, client, 'users:read', asked.headers)).json;
    expect((await revoke(service, client, token, given.headers)).status).toBe(200);
    const { jti: tokenId } = decodeJwt(token);
    const { clientId } = client;
    const actor = { kind: 'client', id: clientId };
    expect(await recordedOf(asked)).toEqual([
      anEvent('token.issued', asked, { actor, clientId, detail: { tokenId, scopes: ['users:read'] } }),
    ]);
    expect(await recordedOf(given)).toEqual([
      anEvent('token.revoked', given, { actor, clientId, detail: { tokenId } }),
    ]);
    expect(await tablesHolding(service, token.split('.')[2])).toEqual([]);
  });

  test('but not a rejected scope', async () => {
    const client = await createdClient(service);
    const narrow = anOrigin();
    await askForToken(service, client, 'access:admin', narrow.headers);
    expect(await recordedOf(narrow)).toEqual([]);
  });
});
