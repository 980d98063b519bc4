import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { inspectPostgres } from '../../src/cli/service/doctor/postgres.js';
import { readConfig } from '../../src/config.js';
import { snapshot, transaction } from '../../src/storage/database.js';
import { usesPooler } from '../../src/storage/pooler-client.js';
import { callIdOf, undo, verdictsOf } from '../support/calls.js';
import { mailTo, newAddress, passwordIn, sendsAtOnce, untilSent } from '../support/deliveries.js';
import { EventStream } from '../support/event-stream.js';
import { type MailWitness, openMailWitness } from '../support/mail-witness.js';
import { hasPgBouncer, type PgBouncer, skippedPgBouncerTests, startPgBouncer } from '../support/pgbouncer.js';
import { anItem, aUser, createEmptyDatabase, newId, TestService } from '../support/service.js';
import { openWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.js';
import { eagerEvents, eventsOf, givenWebhook } from '../support/webhooks.js';

interface Named {
  readonly employeeID: string;
  readonly name: string;
}

if (!hasPgBouncer) console.warn(skippedPgBouncerTests);

describe.skipIf(!hasPgBouncer)('behind PgBouncer in transaction mode', () => {
  let bouncer: PgBouncer;
  let mail: MailWitness;
  let receiver: WebhookReceiver;
  let databaseUrl: string;
  let service: TestService;

  beforeAll(async () => {
    bouncer = await startPgBouncer(inject('postgresUrl'));
    mail = await openMailWitness();
    receiver = await openWebhookReceiver();
    databaseUrl = bouncer.url(await createEmptyDatabase());
    service = await TestService.start({
      ...sendsAtOnce,
      ...eagerEvents,
      SMTP_URL: mail.url,
      DATABASE_URL: databaseUrl,
      ROLLCALL_BULK_CHUNK_ITEMS: '50',
    });
  });
  afterAll(async () => {
    await service?.stop();
    await receiver?.stop();
    await mail?.stop();
    await bouncer?.stop();
  });

  test('concurrent creates work, with and without a password and an idempotency key', async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        service.post(
          '/service/users',
          aUser(index % 3 === 0 ? { password: newId('given ') } : {}),
          index % 2 === 0 ? { headers: { 'idempotency-key': newId('key') } } : {},
        ),
      ),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    const [{ serial }] = replies.map(({ json }) => json.data) as [{ serial: string }];
    const patched = await service.request('PATCH', `/service/users/${serial}`, { body: { phone: '+44 20' } });
    expect(patched.status, patched.text).toBe(200);
    expect((await service.readUser(serial)).phone).toBe('+44 20');
    expect((await service.get('/service/users?search=ada&limit=5')).json.data.items).toHaveLength(5);
  });

  test('bulk calls in several transactions work, also concurrently, and so does their undo', async () => {
    const created = await service.createBulk(Array.from({ length: 200 }, () => aUser()));
    expect(created.json.data.failedItems).toEqual([]);
    const items: { payload: Named }[] = created.json.data.successItems;
    const renamed = items.map(({ payload }) => anItem(payload, { name: 'Grace', phone: '+44 20' }));
    const updates = await Promise.all([
      service.updateBulk(renamed),
      service.updateBulk(items.map(({ payload }) => anItem(payload, { tagSerials: ['T1'] }))),
    ]);
    for (const update of updates) expect(update.json.data.failedItems).toEqual([]);

    const [one, other] = items.map(({ payload }) => payload) as [Named, Named];
    const swap = await service.post('/service/users/update-bulk?mode=finalState', {
      items: [
        anItem(one, { newEmployeeID: other.employeeID }),
        anItem(other, { newEmployeeID: one.employeeID }),
      ],
    });
    expect(swap.json.data.failedItems).toEqual([]);
    expect(Object.values(verdictsOf(await undo(service, callIdOf(swap))))).toEqual(['updated', 'updated']);
    const preview = await service.post('/service/users/update-bulk?dryRun=true', { items: renamed });
    expect(preview.json.data.successItems).toHaveLength(200);
  });

  test('events and webhooks report each change once and in order', async () => {
    await givenWebhook(service, { url: receiver.url, batchMax: 100 });
    const stream = await EventStream.open(service);
    const serials: string[] = [];
    for (let count = 0; count < 10; count++) serials.push((await service.givenUser()).serial);
    const told = () => stream.events.map(({ json }) => json.data.userSerial);
    await expect.poll(told).toEqual(serials);
    const received = () => receiver.requests.flatMap(eventsOf).map(({ data }) => data.userSerial);
    await expect.poll(received).toEqual(serials);
  });

  test('deliveries are sent, and their password can be used to sign in', async () => {
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await service.givenUser({ email, username });
    await untilSent(service, serial);
    const signedIn = await service.signIn(username, passwordIn(await mailTo(mail, email)));
    expect(signedIn.status, signedIn.text).toBe(200);
    expect(signedIn.json.data.mustChangePassword).toBe(true);
  });

  test('timeouts apply to single statements and within transactions', async () => {
    const impatient = await TestService.start({
      DATABASE_URL: databaseUrl,
      ROLLCALL_STATEMENT_TIMEOUT_MS: '2000', // enough for every other statement, even on a busy machine
      ROLLCALL_LOCK_TIMEOUT_MS: '100',
      ROLLCALL_BOOTSTRAP_CLIENT_ID: 'impatient',
      ROLLCALL_BOOTSTRAP_CLIENT_SECRET: 'impatient'.repeat(4),
    });
    try {
      const { database } = impatient;
      const endless = 'SELECT pg_sleep(600)';
      const codeOf = (work: Promise<unknown>) => work.then(String, ({ code }) => code);
      expect(await codeOf(database.pool.query(endless))).toBe('57014');
      expect(await codeOf(transaction(database, (tx) => tx.query(endless)))).toBe('57014');
      expect(await codeOf(snapshot(database, (tx) => tx.query(endless)))).toBe('57014');
      const { serial } = await impatient.givenUser();
      const locking = transaction(service.database, async (tx) => {
        await tx.query('SELECT FROM users WHERE serial = $1 FOR UPDATE', [serial]);
        return codeOf(database.pool.query('UPDATE users SET name = name WHERE serial = $1', [serial]));
      });
      expect(await locking).toBe('55P03');
      expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
    } finally {
      await impatient.stop();
    }
  });

  test('nothing is left in the sessions, which others share', async () => {
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    try {
      const seen = new Set<number>();
      while (seen.size < 4) {
        const { rows } = await other.query(`SELECT pg_backend_pid() AS pid,
          (SELECT count(*)::int FROM pg_prepared_statements) AS statements,
          current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock,
          current_setting('enable_seqscan') AS scans`);
        const { pid, ...session } = rows[0];
        expect(session).toEqual({ statements: 0, statement: '0', lock: '0', scans: 'on' });
        seen.add(pid);
        // Occupies these sessions, so that the next query gets another one.
        await Promise.all(
          Array.from({ length: 4 }, () => service.database.pool.query('SELECT pg_sleep(0.01)')),
        );
      }
    } finally {
      await other.end();
    }
  });

  test('the doctor detects it', async () => {
    expect(await usesPooler(service.database)).toBe(true);
    expect(await inspectPostgres(readConfig({ DATABASE_URL: databaseUrl }))).toMatchObject({
      isPooled: true,
    });
  });
});
