import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { firstClient } from '../support/nodes.js';
import { anItem, aUser, createEmptyDatabase, newId, TestService } from '../support/service.js';

async function aNode(databaseUrl: string): Promise<TestService> {
  const node = await TestService.start({
    DATABASE_URL: databaseUrl,
    ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
    ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
  });
  onTestFinished(() => node.stop());
  return node;
}

/** A separate role with the grants from docs/security/model.md. */
async function givenServiceRole(databaseUrl: string): Promise<string> {
  const role = `service_${newId('r').toLowerCase()}`;
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  onTestFinished(async () => {
    await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
    await owner.end();
  });
  await owner.query(`
    CREATE ROLE ${role} LOGIN PASSWORD 'not-the-owner';
    REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    GRANT USAGE ON SCHEMA public TO ${role};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role};
    GRANT USAGE, SELECT, UPDATE ON ALL SEQUENCES IN SCHEMA public TO ${role}`);
  const url = new URL(databaseUrl);
  url.username = role;
  url.password = 'not-the-owner';
  return url.href;
}

test('the service runs with a role that cannot change the schema, once the owner has migrated', async () => {
  const databaseUrl = await createEmptyDatabase();
  await aNode(databaseUrl);
  const node = await aNode(await givenServiceRole(databaseUrl));

  await expect(node.database.pool.query('CREATE TABLE mine ()')).rejects.toThrow('permission denied');
  const user = await node.givenUser(aUser());
  const report = await node.updateBulk([anItem(user, { newEmployeeID: newId('N') })]);
  expect(report.json.data.failedItems).toEqual([]);
  const changes = await node.get('/service/changes');
  expect(changes.json.data.items.map(({ userSerial }: { userSerial: string }) => userSerial)).toContain(
    user.serial,
  );
});

test('a role that does not own the database needs the extension for searches', async () => {
  const databaseUrl = await createEmptyDatabase();
  const role = await givenServiceRole(databaseUrl);
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  onTestFinished(() => owner.end());
  await owner.query(`GRANT CREATE ON SCHEMA public TO ${new URL(role).username}`);
  await expect(TestService.start({ DATABASE_URL: role })).rejects.toThrow(
    /^The database lacks the extension pg_trgm, .+ Run CREATE EXTENSION pg_trgm in it as its owner/,
  );
  await owner.query(`
    CREATE SCHEMA extensions;
    GRANT USAGE ON SCHEMA extensions TO ${new URL(role).username};
    CREATE EXTENSION pg_trgm SCHEMA extensions`);
  const node = await aNode(role);
  const user = await node.givenUser({ name: 'Grace Hopper' });
  await expect
    .poll(async () => (await node.get('/service/users?search=opp')).json.data.items)
    .toMatchObject([{ serial: user.serial }]);
});

test('a start says what a role lacks, instead of that the database cannot be reached', async () => {
  const databaseUrl = await createEmptyDatabase();
  const role = await givenServiceRole(databaseUrl);
  await expect(TestService.start({ DATABASE_URL: role })).rejects.toThrow(
    /: the role is not allowed to do this \(42501\)\. Run `rollcall migrate` as the owner/,
  );
});
