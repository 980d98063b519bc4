import { randomBytes } from 'node:crypto';
import { describe, expect, onTestFinished, test } from 'vitest';
import { exitCodes } from '../../src/cli/problem.js';
import { maintainSigningKeys } from '../../src/domain/access/signing-keys.js';
import { checkSecretKeys, discardLostKey, rewrapSecrets } from '../../src/domain/maintenance/secret-keys.js';
import { openSecretCipher } from '../../src/domain/secrets/open-secret-cipher.js';
import { SecretCipher } from '../../src/domain/secrets/secret-cipher.js';
import { newSerial } from '../../src/domain/serial.js';
import { countSecrets } from '../../src/storage/access/encrypted-secrets.js';
import { insertWebhook, insertWebhookSecret } from '../../src/storage/delivery/webhooks.js';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { StartupError } from '../../src/storage/errors.js';
import { rollcall } from '../support/command.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { firstClient } from '../support/nodes.js';
import { signingKey } from '../support/own-tokens.js';
import { giveCode, givenUserWithApp, signInByPassword } from '../support/second-factors.js';
import { aUser, createDatabase, issueToken, newId, TestService } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { aUrl, givenWebhook, sendsNoWebhooks } from '../support/webhooks.js';

const aKey = () => randomBytes(32).toString('base64');
const idOf = (key: string) => new SecretCipher(Buffer.from(key, 'base64')).keyId;

interface Keys {
  readonly current?: string;
  readonly previous?: string;
}

function settings(databaseUrl: string, { current, previous }: Keys): Record<string, string> {
  return {
    DATABASE_URL: databaseUrl,
    ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
    ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
    ROLLCALL_DELIVERIES_AT_ONCE: '0',
    ROLLCALL_OPENID_PROVIDER: 'on',
    ...sendsNoWebhooks,
    ...(current === undefined ? {} : { ROLLCALL_SECRET_KEY: current }),
    ...(previous === undefined ? {} : { ROLLCALL_SECRET_KEY_PREVIOUS: previous }),
  };
}

async function aNode(databaseUrl: string, keys: Keys): Promise<TestService> {
  const node = await TestService.start(settings(databaseUrl, keys));
  onTestFinished(() => node.stop());
  return node;
}

/** A rejected start, as an operator sees it. */
async function refusedStart(databaseUrl: string, keys: Keys): Promise<string> {
  const dataDir = temporaryDirectory();
  const service = await spawned({ ...settings(databaseUrl, keys), ROLLCALL_DATA_DIR: dataDir });
  expect(await service.exited, service.output).toBe(exitCodes.refused);
  return service.output;
}

async function statusOn(node: TestService, token: string): Promise<number> {
  return (await node.get('/service/users?limit=1', { token })).status;
}

const newToken = (node: TestService) => issueToken(node.url, firstClient);

/** The secrets in the database, decrypted with only this key. */
async function secretsIn({ database }: TestService, key: string) {
  const cipher = openSecretCipher({ secretKey: key, dataDir: temporaryDirectory() });
  const { rows: webhooks } = await database.pool.query('SELECT id, secret FROM webhook_secrets ORDER BY id');
  const { rows: deliveries } = await database.pool.query(
    'SELECT id, secret FROM deliveries WHERE secret IS NOT NULL ORDER BY id',
  );
  return [...webhooks, ...deliveries].map(({ id, secret }) => cipher.decrypt(secret, id));
}

/** The number of unencrypted signing keys, which anyone with access to the database could use. */
async function clearKeys({ database }: TestService): Promise<number> {
  const { rows } = await database.pool.query(`SELECT FROM signing_keys WHERE private_jwk ? 'd'`);
  return rows.length;
}

describe('with ROLLCALL_SECRET_KEY set', () => {
  test('changing the key loses nothing while nodes with either key are running', async () => {
    const databaseUrl = await createDatabase();
    const [old, current] = [aKey(), aKey()];
    const before = await aNode(databaseUrl, { current: old });
    expect(await clearKeys(before), 'the signing key is encrypted from the first start on').toBe(0);
    const webhook = await givenWebhook(before);
    const secured = await givenUserWithApp(before);
    const publishedBy = async (node: TestService) =>
      (await node.get('/oidc/jwks', { token: null })).json.keys;
    const published = await publishedBy(before);
    const headers = { 'idempotency-key': newId('key-') };
    const user = aUser({ password: 'a given password' });
    const created = await before.post('/service/users', user, { headers });
    expect(created.status, created.text).toBe(201);

    const both = await aNode(databaseUrl, { current, previous: old });
    const later = await givenWebhook(both);
    const again = await both.post('/service/users', user, { headers });
    expect(again.headers.get('idempotent-replayed'), 'a request of before is known again').toBe('true');
    for (const [issuer, other] of [
      [before, both],
      [both, before],
    ] as const) {
      expect(await statusOn(other, await newToken(issuer))).toBe(200);
    }

    // Some secrets already use the new key. A rewrap converts the rest, and a second one has nothing left to do.
    const { cipher } = both.context;
    const environment = settings(databaseUrl, { current, previous: old });
    const run = await rollcall(['keys', 'rewrap', '--json'], environment);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({
      keyId: idOf(current),
      rewrapped: {
        ...{ signingKeys: 1, webhookSecrets: 1, passwords: 1 },
        ...{ plannedPasswords: 0, chatUrls: 0, feedSecrets: 0, openIdKeys: 1, scimTokens: 0, totpSecrets: 1 },
      },
      unreadable: [],
    });
    expect((await rewrapSecrets(both.database, cipher)).rewrapped).toEqual({
      signingKeys: 0,
      webhookSecrets: 0,
      passwords: 0,
      plannedPasswords: 0,
      chatUrls: 0,
      openIdKeys: 0,
      feedSecrets: 0,
      scimTokens: 0,
      totpSecrets: 0,
    });
    expect(await secretsIn(both, current)).toEqual([webhook.secret, later.secret, 'a given password']);
    await expect(secretsIn(both, old), 'the old key opens nothing any more').rejects.toThrow();

    const after = await aNode(databaseUrl, { current });
    const session = await signInByPassword(after, secured);
    expect((await giveCode(after, session, secured.app.code())).status).toBe(200);
    expect(await publishedBy(after), 'ID tokens are signed with the same key').toEqual(published);
    const nodes = [before, both, after];
    const tokens = await Promise.all(nodes.map(newToken));
    for (const node of nodes) {
      for (const token of tokens) expect(await statusOn(node, token)).toBe(200);
    }
  });

  test('a start without the key, or with another one, is rejected and names the key', async () => {
    const databaseUrl = await createDatabase();
    const key = aKey();
    const first = await aNode(databaseUrl, { current: key });
    const webhook = await givenWebhook(first);
    await first.post('/service/users', aUser({ password: 'a given password' }));
    const missing = `The secret key ${idOf(key)} is missing, and 1 password waiting to be sent, 1 signing key and 1 webhook secret cannot be decrypted without it.`;
    expect(await refusedStart(databaseUrl, {})).toContain(missing);
    const another = openSecretCipher({ secretKey: aKey(), dataDir: temporaryDirectory() });
    await expect(checkSecretKeys({ database: first.database, cipher: another })).rejects.toThrow(missing);
    expect(await clearKeys(first), 'and nothing was changed').toBe(0);

    // If the key is permanently lost, what it encrypted can be discarded explicitly.
    const other = aKey();
    const unreadable = await rollcall(['keys', 'rewrap'], settings(databaseUrl, { current: other }));
    expect(unreadable.code).toBe(exitCodes.someFailed);
    expect(unreadable.stderr).toContain(`rollcall keys rewrap --discard ${idOf(key)}`);
    const given = await rollcall(
      ['keys', 'rewrap', '--discard', idOf(key)],
      settings(databaseUrl, { current: other }),
    );
    expect(given.code, given.stderr).toBe(0);
    const next = await aNode(databaseUrl, { current: other });
    expect(await statusOn(next, await newToken(next))).toBe(200);
    expect((await next.get(webhook.path)).json.data).toMatchObject({
      isActive: false,
      disabledBecause: expect.stringContaining('Rotate the secret'),
    });
    expect((await countSecrets(next.database.pool)).map(({ kind }) => kind)).toEqual(['signingKeys']);
  });
});

describe('signing keys without ROLLCALL_SECRET_KEY', () => {
  /** Each can sign, and all accept what it signed. */
  async function expectAllSign(nodes: readonly TestService[]): Promise<void> {
    const tokens = await Promise.all(nodes.map(newToken));
    for (const node of nodes) {
      for (const token of tokens) expect(await statusOn(node, token)).toBe(200);
    }
  }

  const keysOf = ({ database }: TestService) => countSecrets(database.pool);

  test('are encrypted, one for each secret.key, and retired once a node has been gone for a day', async () => {
    const databaseUrl = await createDatabase();
    const nodes = [await aNode(databaseUrl, {}), await aNode(databaseUrl, {})] as const;
    const [one, two] = nodes;
    await expectAllSign(nodes);
    expect(await keysOf(one)).toEqual(
      nodes
        .map(({ context }) => ({ kind: 'signingKeys', keyId: context.cipher.keyId, count: 1 }))
        .sort((a, b) => (a.keyId < b.keyId ? -1 : 1)),
    );
    await one.database.pool.query(`UPDATE signing_keys SET used_at = now() - interval '25 hours'`);
    const before = await newToken(two);
    await maintainSigningKeys(one.database.pool, one.context.cipher, { isUpgradeOver: true });
    expect(await keysOf(one)).toMatchObject([{ keyId: one.context.cipher.keyId, count: 1 }]);
    expect(await statusOn(one, before), 'its tokens stay valid').toBe(200);
  });

  test('that an earlier version stored unencrypted are replaced once its nodes are gone', async () => {
    const databaseUrl = await createDatabase();
    const old = await aNode(databaseUrl, {});
    const { kid, jwk } = await signingKey(old);
    await old.database.pool.query(
      'UPDATE signing_keys SET private_jwk = $2, secret = NULL, secret_key_id = NULL WHERE kid = $1',
      [kid, JSON.stringify(jwk)],
    );
    const token = await newToken(old);
    const upgrading = await aNode(databaseUrl, {});
    await expectAllSign([old, upgrading]);
    expect(await clearKeys(old), 'nodes of the earlier version could sign with no other').toBe(1);
    await old.database.pool.query(`UPDATE schema_migrations SET applied_at = now() - interval '2 hours'`);
    const upgraded = await aNode(databaseUrl, {});
    expect(await clearKeys(old)).toBe(0);
    await expectAllSign([old, upgrading, upgraded]);
    expect(await statusOn(upgraded, token), 'what it signed stays valid').toBe(200);
  });
});

test('an embedded database whose secret.key is missing is rejected until what it encrypted is discarded', async () => {
  const database = await openEmbedded(await embeddedDirectory());
  onTestFinished(() => database.close());
  const [gone, fresh] = [new SecretCipher(randomBytes(32)), new SecretCipher(randomBytes(32))];
  const id = newSerial().serial;
  const settings = { url: aUrl, description: null, eventTypes: [], batchMax: 1 };
  await insertWebhook(database.pool, { id, position: 0, ...settings });
  await insertWebhookSecret(database.pool, { id, webhookId: id, secret: gone.encrypt('secret', id) });
  expect(await checkSecretKeys({ database, cipher: gone })).toEqual([]);
  await expect(checkSecretKeys({ database, cipher: fresh })).rejects.toThrow(
    `The secret key ${gone.keyId} is missing, and 1 webhook secret cannot be decrypted without it.`,
  );
  await expect(discardLostKey(database, gone, gone.keyId), 'a key that is there').rejects.toThrow(
    StartupError,
  );
  await discardLostKey(database, fresh, gone.keyId);
  expect(await checkSecretKeys({ database, cipher: fresh })).toEqual([]);
});
