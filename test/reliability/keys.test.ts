import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { describe, type ExpectStatic, test } from 'vitest';
import { limitDefaults } from '../../src/contract/limits.js';
import { createSigningKey, rotateSigningKeys } from '../../src/domain/access/signing-keys.js';
import { runHousekeeping } from '../../src/domain/maintenance/housekeeping.js';
import { type ApiClient, askForToken, createdClient } from '../support/api-clients.js';
import { rollcall } from '../support/command.js';
import { firstClient, useNodes } from '../support/nodes.js';
import { signedToken } from '../support/own-tokens.js';
import { createDatabase, issueToken, type TestService } from '../support/service.js';
import { givenSignedInUser } from '../support/signed-in-users.js';

const startNodes = useNodes();

/** Nodes reload the keys every five seconds. */
const within = { interval: 200 };

const kidOf = (token: string) => decodeProtectedHeader(token).kid as string;

async function tokenFrom(node: TestService, client: ApiClient): Promise<string> {
  return (await askForToken(node, client)).json.access_token;
}

async function statusOn(node: TestService, token: string): Promise<number> {
  return (await node.get('/service/users?limit=1', { token })).status;
}

async function publishedBy(node: TestService): Promise<string[]> {
  const { keys } = (await node.get('/.well-known/jwks.json', { token: null })).json;
  return keys.map(({ kid }: { kid: string }) => kid);
}

/** Two nodes, and a client that got a token before any rotation. */
async function twoNodes(expect: ExpectStatic) {
  const databaseUrl = await createDatabase();
  const [one, two] = await startNodes(databaseUrl);
  const client = await createdClient(one);
  const old = await tokenFrom(one, client);
  expect([await statusOn(one, old), await statusOn(two, old)]).toEqual([200, 200]);
  const newToken = async (node: TestService, before = old) => {
    await expect.poll(async () => kidOf(await tokenFrom(node, client)), within).not.toBe(kidOf(before));
    return tokenFrom(node, client);
  };
  return { databaseUrl, one, two, client, old, newToken };
}

// Both wait for several seconds, so they run concurrently.
describe.concurrent('the signing keys of two running nodes', () => {
  test('are rotated by rollcall keys rotate, and revoked with --revoke-old, which keeps users signed in', async ({
    expect,
  }) => {
    const { databaseUrl, one, two, client, old, newToken } = await twoNodes(expect);
    const { username, password, token } = await givenSignedInUser(one);
    expect(await rollcall(['keys', 'rotate'], { DATABASE_URL: databaseUrl })).toEqual({
      code: 0,
      stdout:
        'The keys are replaced. All nodes sign with new ones within seconds. Existing tokens stay valid until they expire.\n',
      stderr: '',
    });
    expect([await statusOn(one, old), await statusOn(two, old)]).toEqual([200, 200]);

    const [fromOne, fromTwo] = await Promise.all([newToken(one), newToken(two)]);
    expect(kidOf(fromOne)).toBe(kidOf(fromTwo));
    for (const node of [one, two]) {
      expect(await statusOn(node, fromOne)).toBe(200);
      expect(await statusOn(node, fromTwo)).toBe(200);
      expect(await statusOn(node, old), 'old tokens go on').toBe(200);
      expect(await publishedBy(node)).toEqual([kidOf(fromOne), kidOf(old)]);
    }
    const keys = createRemoteJWKSet(new URL(`${two.url}/.well-known/jwks.json`));
    for (const each of [old, fromOne]) await jwtVerify(each, keys, { audience: 'rollcall', typ: 'at+jwt' });

    const revoked = await rollcall(['keys', 'rotate', '--revoke-old', '--json'], {
      DATABASE_URL: databaseUrl,
    });
    expect([revoked.code, JSON.parse(revoked.stdout)]).toEqual([0, { oldKeys: 2, revoked: true }]);
    for (const node of [one, two])
      for (const each of [old, fromOne]) await expect.poll(() => statusOn(node, each), within).toBe(401);
    const newest = await tokenFrom(two, client);
    for (const node of [one, two]) {
      expect(await statusOn(node, newest)).toBe(200);
      expect(await publishedBy(node)).toEqual([kidOf(newest)]);
    }
    const changed = await two.post(
      '/service/auth/change-password',
      { currentPassword: password, newPassword: `chosen again by ${username}` },
      { token },
    );
    expect(changed.status).toBe(200);

    const reader = await issueToken(one.url, firstClient);
    const events = await one.get('/service/access-events?kind=keys.rotated', { token: reader });
    const nobody = { actor: null, userSerial: null, clientId: null, address: null, requestId: null };
    expect(events.json.data.items).toMatchObject([
      { kind: 'keys.rotated', ...nobody, detail: { revokedOld: true } },
      { kind: 'keys.rotated', ...nobody, detail: { revokedOld: false } },
    ]);
  });

  test('are looked up when a token has a new one, end a day after they retire, and survive concurrent rotations', async ({
    expect,
  }) => {
    const { one, two, client, old, newToken } = await twoNodes(expect);
    const forged = 'eyJhbGciOiJFUzI1NiIsImtpZCI6Im5vYm9keSJ9.e30.AAAA';
    expect(await statusOn(one, forged), 'it has just looked for an unknown key').toBe(401);
    await rotateSigningKeys(two.database, { revokeOld: false });
    // As the other node would.
    await createSigningKey(two.database.pool, two.context.cipher);
    const token = await signedToken(two, client.clientId, { claims: { scope: 'users:read' } });
    expect(await statusOn(one, token)).toBe(200);

    const [newer, other] = await Promise.all([newToken(one), newToken(two)]);
    for (const node of [one, two])
      for (const each of [old, newer, other]) expect(await statusOn(node, each)).toBe(200);

    const retiredFor = (time: string) =>
      one.database.pool.query(
        'UPDATE signing_keys SET retired_at = now() - $1::interval WHERE retired_at IS NOT NULL',
        [time],
      );
    const housekeeping = () =>
      runHousekeeping(
        { database: one.database, limits: limitDefaults, sessionIdleSeconds: 7_200 },
        { accessEventsDays: 365, changesDays: 365 },
      );
    const kept = async () =>
      (await one.database.pool.query('SELECT kid FROM signing_keys')).rows.map(({ kid }) => kid);
    await retiredFor('24 hours');
    await housekeeping();
    expect(await kept(), 'a token of it may still be good').toContain(kidOf(old));
    await retiredFor('24 hours 2 minutes');
    await expect.poll(() => publishedBy(one), within).toEqual([kidOf(newer)]);
    await expect.poll(() => statusOn(one, old), within).toBe(401);
    expect(await statusOn(one, newer)).toBe(200);
    await housekeeping();
    expect(await kept()).toEqual([kidOf(newer)]);

    await Promise.all(
      [one, two, one, two].map((node) => rotateSigningKeys(node.database, { revokeOld: false })),
    );
    const tokens = await Promise.all([newToken(one, newer), newToken(two, newer)]);
    for (const node of [one, two])
      for (const each of [newer, ...tokens]) expect(await statusOn(node, each)).toBe(200);
  });
});
