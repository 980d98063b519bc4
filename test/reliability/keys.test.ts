import {
  type CryptoKey,
  createRemoteJWKSet,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
  SignJWT,
} from 'jose';
import { describe, type ExpectStatic, test } from 'vitest';
import { limitDefaults } from '../../src/contract/limits.js';
import { rotateSigningKeys } from '../../src/domain/access/signing-keys.js';
import { runHousekeeping } from '../../src/domain/maintenance/housekeeping.js';
import { type ApiClient, askForToken, createdClient } from '../support/api-clients.js';
import { rollcall } from '../support/command.js';
import { firstClient, useNodes } from '../support/nodes.js';
import { createDatabase, issueToken, newId, type TestService } from '../support/service.js';

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
  const newToken = async (node: TestService) => {
    await expect.poll(async () => kidOf(await tokenFrom(node, client)), within).not.toBe(kidOf(old));
    return tokenFrom(node, client);
  };
  return { databaseUrl, one, two, client, old, newToken };
}

// Each waits for several seconds, so they run concurrently.
describe.concurrent('rollcall keys rotate', () => {
  test('with two running nodes: a new key signs, old tokens stay valid, both keys are published', async ({
    expect,
  }) => {
    const { databaseUrl, one, two, old, newToken } = await twoNodes(expect);
    expect(await rollcall(['keys', 'rotate'], { DATABASE_URL: databaseUrl })).toEqual({
      code: 0,
      stdout:
        'New key created. All nodes use it within seconds. Existing tokens stay valid until they expire.\n',
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
    for (const token of [old, fromOne]) await jwtVerify(token, keys, { audience: 'rollcall', typ: 'at+jwt' });
  });

  test('--revoke-old rejects all old tokens within seconds on every node, and accepts new ones', async ({
    expect,
  }) => {
    const { databaseUrl, one, two, old, newToken } = await twoNodes(expect);
    const rotated = await rollcall(['keys', 'rotate', '--revoke-old'], { DATABASE_URL: databaseUrl });
    expect(rotated).toEqual({
      code: 0,
      stdout:
        'New key created. All nodes use it within seconds. Existing tokens are revoked within seconds.\n',
      stderr: '',
    });
    for (const node of [one, two]) await expect.poll(() => statusOn(node, old), within).toBe(401);
    const [fromOne, fromTwo] = [await newToken(one), await newToken(two)];
    for (const node of [one, two]) {
      expect(await statusOn(node, fromOne)).toBe(200);
      expect(await statusOn(node, fromTwo)).toBe(200);
      expect(await statusOn(node, old)).toBe(401);
      expect(await publishedBy(node)).toEqual([kidOf(fromOne)]);
    }
  });

  test('--json counts the keys that no longer sign, and every rotation is logged', async ({ expect }) => {
    const databaseUrl = await createDatabase();
    const [node] = await startNodes(databaseUrl);
    const rotate = async (...options: string[]) => {
      const { code, stdout } = await rollcall(['keys', 'rotate', '--json', ...options], {
        DATABASE_URL: databaseUrl,
      });
      return { code, ...JSON.parse(stdout) };
    };
    expect(await rotate()).toEqual({ code: 0, oldKeys: 1, revoked: false });
    expect(await rotate('--revoke-old')).toEqual({ code: 0, oldKeys: 2, revoked: true });
    const token = async () => issueToken(node.url, firstClient);
    const events = async () =>
      (await node.get('/service/access-events?kind=keys.rotated', { token: await token() })).json.data?.items;
    const nobody = { actor: null, userSerial: null, clientId: null, address: null, requestId: null };
    await expect.poll(events, within).toMatchObject([
      { kind: 'keys.rotated', ...nobody, detail: { revokedOld: true } },
      { kind: 'keys.rotated', ...nobody, detail: { revokedOld: false } },
    ]);
  });

  test('keeps users signed in, whatever happens to the keys', async ({ expect }) => {
    const { databaseUrl, one, two, old } = await twoNodes(expect);
    const { json } = await one.post('/service/users', {
      employeeID: 'E1',
      name: 'Ada',
      email: 'ada@example.com',
      isActive: true,
      username: 'ada',
      password: 'initial password',
    });
    expect(json.status).toBe('success');
    const { accessToken } = (await one.signIn('ada', 'initial password')).json.data;
    await rollcall(['keys', 'rotate', '--revoke-old'], { DATABASE_URL: databaseUrl });
    await expect.poll(() => statusOn(two, old), within).toBe(401);
    const changed = await two.post(
      '/service/auth/change-password',
      { currentPassword: 'initial password', newPassword: 'chosen by Ada herself' },
      { token: accessToken },
    );
    expect(changed.status).toBe(200);
  });

  test('a key retired for more than a day is no longer published, and its tokens are rejected', async ({
    expect,
  }) => {
    const { one, old, newToken } = await twoNodes(expect);
    await rotateSigningKeys(one.database, undefined, { revokeOld: false });
    const newer = await newToken(one);
    const retiredFor = (time: string) =>
      one.database.pool.query(
        'UPDATE signing_keys SET retired_at = now() - $1::interval WHERE retired_at IS NOT NULL',
        [time],
      );
    await retiredFor('24 hours');
    await runHousekeeping(
      { database: one.database, limits: limitDefaults },
      { accessEventsDays: 365, changesDays: 365 },
    );
    const { rows: kept } = await one.database.pool.query('SELECT kid FROM signing_keys');
    expect(kept, 'a token of it may still be good').toHaveLength(2);
    await retiredFor('24 hours 2 minutes');
    await expect.poll(() => publishedBy(one), within).toEqual([kidOf(newer)]);
    expect(await statusOn(one, old)).toBe(401);
    expect(await statusOn(one, newer)).toBe(200);
    await runHousekeeping(
      { database: one.database, limits: limitDefaults },
      { accessEventsDays: 365, changesDays: 365 },
    );
    const { rows } = await one.database.pool.query('SELECT kid FROM signing_keys');
    expect(rows).toEqual([{ kid: kidOf(newer) }]);
  });
});

describe.concurrent('a rotation', () => {
  test('on one node: another node that has just read the keys accepts tokens of the new key at once', async ({
    expect,
  }) => {
    const { one, two, client } = await twoNodes(expect);
    const forged = 'eyJhbGciOiJFUzI1NiIsImtpZCI6Im5vYm9keSJ9.e30.AAAA';
    expect(await statusOn(one, forged), 'it looks for an unknown key').toBe(401);
    await rotateSigningKeys(two.database, undefined, { revokeOld: false });
    // As the other node would sign it.
    const { rows } = await two.database.pool.query(
      'SELECT kid, private_jwk AS jwk FROM signing_keys WHERE retired_at IS NULL',
    );
    const token = await new SignJWT({ scope: 'users:read', client_id: client.clientId })
      .setProtectedHeader({ alg: 'ES256', kid: rows[0].kid, typ: 'at+jwt' })
      .setIssuer('http://localhost:8080')
      .setAudience('rollcall')
      .setSubject(client.clientId)
      .setIssuedAt()
      .setExpirationTime('60s')
      .setJti(newId('token-'))
      .sign((await importJWK(rows[0].jwk, 'ES256')) as CryptoKey);
    expect(await statusOn(one, token)).toBe(200);
  });

  test('concurrent with others leaves all nodes serving and old tokens valid', async ({ expect }) => {
    const { one, two, old, newToken } = await twoNodes(expect);
    const rotations = [one, two, one, two].map((node) =>
      rotateSigningKeys(node.database, undefined, { revokeOld: false }),
    );
    await Promise.all(rotations);
    const tokens = await Promise.all([newToken(one), newToken(two)]);
    for (const node of [one, two]) {
      for (const token of [old, ...tokens]) expect(await statusOn(node, token)).toBe(200);
    }
  });
});
