import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../src/config.js';
import { deliverPassword } from '../../src/delivery/deliver-message.js';
import type { Message } from '../../src/delivery/message.js';
import { type ClaimedDelivery, claimDeliveries } from '../../src/storage/delivery/delivery-claims.js';
import {
  deliveriesOf,
  deliveryOf,
  mailsTo,
  mailTo,
  newAddress,
  passwordIn,
  patchUser,
  release,
  resend,
  sendsAtOnce,
  untilSent,
} from '../support/deliveries.js';
import { type Answer, type MailWitness, openMailWitness } from '../support/mail-witness.js';
import { aUser, createDatabase, newId, silentLogger, TestService, useService } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** The same on all nodes, as an operator would configure it. */
const shared = {
  ROLLCALL_BOOTSTRAP_CLIENT_ID: 'tests',
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: randomBytes(32).toString('base64url'),
  ROLLCALL_SECRET_KEY: randomBytes(32).toString('base64'),
};

/** For nodes that each generate a key in their data directory. */
const ownKey = { ROLLCALL_SECRET_KEY: undefined };

/** A database, a mail server and nodes that all stop together. */
class Installation {
  readonly mail: MailWitness;
  readonly databaseUrl: string;
  readonly #nodes: TestService[] = [];
  readonly #answers = new Map<string, Answer[]>();

  private constructor(mail: MailWitness, databaseUrl: string) {
    this.mail = mail;
    this.databaseUrl = databaseUrl;
    this.mail.answer = (to) => this.#answers.get(to)?.shift() ?? 'accept';
  }

  static async open(): Promise<Installation> {
    return new Installation(await openMailWitness(), await createDatabase());
  }

  /** Stops with the test. */
  static async start(): Promise<Installation> {
    const installation = await Installation.open();
    onTestFinished(() => installation.stop());
    return installation;
  }

  async stop(): Promise<void> {
    await this.mail.stop(); // first, so that no node waits for a hanging server
    await Promise.all(this.#nodes.map((node) => node.stop()));
  }

  get environment() {
    return { ...sendsAtOnce, ...shared, SMTP_URL: this.mail.url, DATABASE_URL: this.databaseUrl };
  }

  async node(environment: Environment = {}): Promise<TestService> {
    const node = await TestService.start({ ...this.environment, ...environment });
    this.#nodes.push(node);
    return node;
  }

  /** The first messages to the address get these answers; later ones are accepted. */
  answerFirst(address: string, ...answers: Answer[]): void {
    this.#answers.set(address, answers);
  }

  /** A connection separate from those of the nodes. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  }
}

const sendsNothing = { ROLLCALL_DELIVERIES_AT_ONCE: '0' };
/** Times out quickly and keeps retrying, because on a busy machine half a second may be too short to send. */
const impatient = {
  ROLLCALL_DELIVERY_TIMEOUT_MS: '500',
  ROLLCALL_DELIVERY_PAUSE_MS: '300',
  ROLLCALL_DELIVERY_PAUSE_MAX_MS: '300',
  ROLLCALL_DELIVERY_ATTEMPTS_MAX: '1000',
};

function usersWithMail(count: number): (Record<string, unknown> & { email: string; username: string })[] {
  return Array.from({ length: count }, () => {
    const [email, username] = [newAddress(), newId('u')];
    return { ...aUser({ email, username }), email, username };
  });
}

async function countOf(node: TestService, state: string): Promise<number> {
  const { rowCount } = await node.database.pool.query('SELECT FROM deliveries WHERE state = $1', [state]);
  return rowCount ?? 0;
}

async function expectNewcomer(node: TestService, username: unknown, password: string): Promise<void> {
  const reply = await node.signIn(username, password);
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.data.mustChangePassword).toBe(true);
}

/** Pauses another connection's statement midway until the test continues. */
async function halfway(
  installation: Installation,
  trigger: string,
): Promise<{ reached(): Promise<boolean>; goOn(): Promise<void>; waiting(): Promise<number> }> {
  const holder = await installation.connect();
  await holder.query(`
    CREATE FUNCTION halfway() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(4711); RETURN NEW; END $$`);
  await holder.query(`CREATE TRIGGER halfway ${trigger} EXECUTE FUNCTION halfway()`);
  await holder.query('SELECT pg_advisory_lock(4711)');
  onTestFinished(async () => {
    await holder.query('SELECT pg_advisory_unlock_all()');
    await holder.query('DROP FUNCTION halfway CASCADE');
  });
  const waiting = async (condition: string) => {
    const { rowCount } = await holder.query(
      `SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)
       WHERE NOT granted AND datname = current_database() AND ${condition}`,
    );
    return rowCount ?? 0;
  };
  return {
    reached: async () => (await waiting(`locktype = 'advisory' AND objid = 4711`)) === 1,
    /** Statements that have waited for a lock longer than the deadlock timeout. */
    waiting: () => waiting(`locktype <> 'advisory' AND clock_timestamp() - query_start > interval '300 ms'`),
    goOn: async () => {
      await holder.query('SELECT pg_advisory_unlock(4711)');
    },
  };
}

describe('several nodes', () => {
  test('send every message once, share the work, and never send one concurrently, even if it is resent', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [one, two] = await Promise.all([installation.node(), installation.node()]);
    const users = usersWithMail(40);
    for (const { email } of users) installation.answerFirst(email, 'hang');
    expect((await one.createBulk(users)).json.data.successItems).toHaveLength(40);
    // No node exceeds its own limit, so the other one must be sending the rest.
    await expect.poll(() => mail.messages.length).toBe(2 * Number(sendsAtOnce.ROLLCALL_DELIVERIES_AT_ONCE));
    for (const { email } of users) installation.answerFirst(email);
    mail.letGo();
    await expect.poll(() => countOf(one, 'sent')).toBe(40);
    const addresses = mail.messages.map(({ envelope }) => envelope.to[0] ?? '');
    expect(addresses.toSorted()).toEqual(users.map(({ email }) => email).toSorted());
    for (const { email, username } of users.slice(0, 3)) {
      await expectNewcomer(one, username, passwordIn(await mailTo(mail, email)));
    }

    const email = newAddress();
    installation.answerFirst(email, 'hang');
    const { serial } = await one.givenUser({ email });
    await mailTo(mail, email);
    const { id } = await deliveryOf(one, serial);
    const replies = [await resend(one, id), await resend(two, id)];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(replies.map(({ json }) => json.data.state)).toEqual(['waiting', 'waiting']);
    for (const other of [
      await one.givenUser({ email: newAddress() }),
      await two.givenUser({ email: newAddress() }),
    ])
      await untilSent(one, other.serial);
    expect(mailsTo(mail, email)).toHaveLength(1);
    mail.letGo();
    await untilSent(one, serial);
    expect(mailsTo(mail, email)).toHaveLength(1);
    expect(mail.sendsAtOnceMax).toBe(1);
  });

  test('never send a message concurrently, even if the mail server hangs, or the database beyond a claim', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [one] = await Promise.all([installation.node(impatient), installation.node(impatient)]);
    const users = usersWithMail(6);
    for (const { email } of users) installation.answerFirst(email, 'hang');
    await one.createBulk(users);
    await expect.poll(() => countOf(one, 'sent')).toBe(6);
    for (const { email } of users) expect(mailsTo(mail, email).length).toBeGreaterThanOrEqual(2);

    const holder = await installation.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE credentials IN EXCLUSIVE MODE');
    const [email, username] = [newAddress(), newId('u')];
    installation.answerFirst(email, 'hang');
    const { serial } = await one.givenUser({ email, username });
    const claimIsOver = async () => {
      const { rowCount } = await holder.query(
        'SELECT FROM deliveries WHERE user_serial = $1 AND claimed_until < clock_timestamp()',
        [serial],
      );
      return rowCount;
    };
    await expect.poll(claimIsOver).toBe(1);
    await holder.query('COMMIT');
    await untilSent(one, serial);
    expect(mail.sendsAtOnceMax).toBe(1);
    await expectNewcomer(one, username, passwordIn(mailsTo(mail, email).at(-1) ?? {}));
  });

  test('with different keys send a given password only with its key, or replace it if it is resent', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [taking, other] = await Promise.all([
      installation.node({ ...sendsNothing, ...ownKey }),
      installation.node(ownKey),
    ]);
    const given = () => ({ email: newAddress(), username: newId('u'), password: `given ${newId()}` });
    const [kept, replaced] = [given(), given()];
    const { serial } = await taking.givenUser(kept);
    const { id } = await deliveryOf(taking, (await taking.givenUser(replaced)).serial);
    const resent = await resend(taking, id);
    expect(resent.json.data.state, 'the node with the key keeps it').toBe('waiting');
    // A node that sends this message has had longer to find the others.
    const later = await taking.givenUser({ email: newAddress() });
    await untilSent(other, later.serial);
    expect(await deliveryOf(other, serial)).toMatchObject({ state: 'waiting', attempts: 0, lastError: null });
    expect(mailsTo(mail, replaced.email)).toEqual([]);

    expect((await resend(other, id)).status).toBe(200);
    const sent = passwordIn(await mailTo(mail, replaced.email));
    expect(sent).not.toBe(replaced.password);
    expect((await other.signIn(replaced.username, replaced.password)).json.errorCode).toBe(10208);
    await expectNewcomer(other, replaced.username, sent);

    const key = readFileSync(join(taking.dataDir, 'secret.key'), 'utf8').trim();
    await installation.node({ ROLLCALL_SECRET_KEY: key });
    expect(passwordIn(await mailTo(mail, kept.email))).toBe(kept.password);
  });
});

describe('the rate limit', () => {
  const perSecond = 20;
  const paced = {
    ROLLCALL_DELIVERIES_AT_ONCE: '30',
    ROLLCALL_DELIVERIES_PER_MINUTE_MAX: String(perSecond * 60),
  };

  /** Makes the database record what is spent of the allowance, and when. */
  async function noteSpending({ pool }: TestService['database']) {
    await pool.query('CREATE TABLE spendings (number serial, refilled_at timestamptz, messages float8)');
    await pool.query(`
      CREATE FUNCTION note_spending() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO spendings (refilled_at, messages) VALUES (NEW.refilled_at, OLD.allowance - NEW.allowance);
        RETURN NEW;
      END $$`);
    await pool.query(`
      CREATE TRIGGER note_spending AFTER UPDATE ON delivery_pace FOR EACH ROW
      WHEN (NEW.refilled_at = OLD.refilled_at) EXECUTE FUNCTION note_spending()`);
    return async () => {
      const { rows } = await pool.query<{ seconds: number; messages: number }>(
        'SELECT extract(epoch FROM refilled_at)::float8 AS seconds, messages FROM spendings ORDER BY number',
      );
      return rows;
    };
  }

  /** Makes the database record which transaction claims each message. */
  async function noteClaims({ pool }: TestService['database']) {
    await pool.query('CREATE TABLE claimed (number serial, user_serial uuid, transaction bigint)');
    await pool.query(`
      CREATE FUNCTION note_claim() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        INSERT INTO claimed (user_serial, transaction) VALUES (NEW.user_serial, txid_current());
        RETURN NEW;
      END $$`);
    await pool.query(`
      CREATE TRIGGER note_claim AFTER UPDATE ON deliveries FOR EACH ROW
      WHEN (NEW.claims > OLD.claims) EXECUTE FUNCTION note_claim()`);
    /** The users whose messages were claimed by the first transaction. */
    return async (): Promise<string[]> => {
      const { rows } = await pool.query<{ serial: string }>(
        `SELECT user_serial AS serial FROM claimed
         WHERE transaction = (SELECT transaction FROM claimed ORDER BY number LIMIT 1)`,
      );
      return rows.map(({ serial }) => serial);
    };
  }

  test('is shared by all nodes, and delays neither a single user behind a bulk call nor a resent message', async () => {
    const installation = await Installation.start();
    const quiet = await installation.node(sendsNothing);
    const [spendings, claimedFirst] = [await noteSpending(quiet.database), await noteClaims(quiet.database)];
    await quiet.createBulk(usersWithMail(40));
    const [last] = (await quiet.get('/service/deliveries?limit=1')).json.data.items;
    expect((await resend(quiet, last.id)).status).toBe(200);
    const { serial } = await quiet.givenUser({ email: newAddress() });
    await Promise.all([installation.node(paced), installation.node(paced)]);
    await expect.poll(() => countOf(quiet, 'sent')).toBe(41);
    expect(await claimedFirst()).toEqual(expect.arrayContaining([serial, last.userSerial]));
    expect((await claimedFirst()).length).toBeLessThanOrEqual(perSecond);

    // No period exceeds it by more than one second's worth.
    const spent = await spendings();
    expect(spent.reduce((sum, { messages }) => sum + messages, 0)).toBe(41);
    for (const [from, first] of spent.entries()) {
      let messages = 0;
      for (const until of spent.slice(from)) {
        messages += until.messages;
        const allowed = perSecond * (1 + until.seconds - first.seconds);
        expect(messages, `in ${until.seconds - first.seconds} s`).toBeLessThanOrEqual(allowed + 0.001);
      }
    }
  });
});

describe('a node that ends', () => {
  test('by SIGKILL while sending leaves the message to another node, but only after the claim expires', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const doomed = await spawned({ ...installation.environment, ROLLCALL_DATA_DIR: temporaryDirectory() });
    const [asking] = await Promise.all([installation.node(sendsNothing), doomed.ready()]);
    const [email, username] = [newAddress(), newId('u')];
    installation.answerFirst(email, 'hang');
    const { serial } = await asking.givenUser({ email, username });
    const first = passwordIn(await mailTo(mail, email));
    await doomed.kill('SIGKILL');
    await installation.node();
    const later = await asking.givenUser({ email: newAddress() });
    await untilSent(asking, later.serial);
    expect(mailsTo(mail, email), 'it is still claimed').toHaveLength(1);
    await asking.database.pool.query('UPDATE deliveries SET claimed_until = now(), next_at = now()');
    const second = passwordIn(await mailTo(mail, email, 2));
    expect((await untilSent(asking, serial)).attempts).toBeGreaterThanOrEqual(2);
    expect((await asking.signIn(username, first)).json.errorCode).toBe(10208);
    await expectNewcomer(asking, username, second);
    expect(mail.sendsAtOnceMax).toBe(1);
  });

  test('by a regular stop finishes its current message, within the shutdown timeout, and starts no other', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [asking, patient] = await Promise.all([
      installation.node(sendsNothing),
      TestService.start(installation.environment),
    ]);
    const email = newAddress();
    installation.answerFirst(email, 'hang');
    const { serial } = await asking.givenUser({ email });
    await mailTo(mail, email);
    let ended = false;
    const stopped = patient.stop().then(() => {
      ended = true;
    });
    await expect.poll(() => fetch(`${patient.url}/healthz`).catch(() => 'closed')).toBe('closed');
    const address = newAddress();
    installation.answerFirst(address, 'hang');
    const late = await asking.givenUser({ email: address });
    expect(ended).toBe(false);
    expect((await deliveryOf(asking, serial)).state).toBe('waiting');
    mail.letGo();
    await stopped;
    expect(await deliveryOf(asking, serial)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(await deliveryOf(asking, late.serial)).toMatchObject({ state: 'waiting', attempts: 0 });

    const hasty = await TestService.start({
      ...installation.environment,
      ROLLCALL_SHUTDOWN_TIMEOUT_MS: '300',
      ROLLCALL_DELIVERY_TIMEOUT_MS: '3600000',
    });
    await mailTo(mail, address);
    await hasty.stop();
    expect(await deliveryOf(asking, late.serial)).toMatchObject({ state: 'waiting', attempts: 1 });
    await asking.database.pool.query('UPDATE deliveries SET next_at = now()'); // the claim has expired
    await installation.node();
    await mailTo(mail, address, 2);
    await untilSent(asking, late.serial);
  });
});

describe('one node', () => {
  let installation: Installation;
  let node: TestService;
  beforeAll(async () => {
    installation = await Installation.open();
    // Retries within milliseconds.
    node = await installation.node({
      ROLLCALL_DELIVERY_PAUSE_MS: '30',
      ROLLCALL_DELIVERY_PAUSE_MAX_MS: '60',
    });
  });
  afterAll(() => installation.stop());

  describe('that gets no confirmation', () => {
    test('resends the message with a new password each time, of which only the latest works', async () => {
      const [email, username] = [newAddress(), newId('u')];
      installation.answerFirst(email, 'drop', 'drop');
      const { serial } = await node.givenUser({ email, username });
      await mailTo(installation.mail, email, 3);
      const passwords = mailsTo(installation.mail, email).map(passwordIn);
      expect(new Set(passwords).size).toBe(3);
      expect(await untilSent(node, serial)).toMatchObject({ attempts: 3, lastError: null });
      const [first, second, latest = ''] = passwords;
      for (const old of [first, second]) {
        expect((await node.signIn(username, old)).json.errorCode).toBe(10208);
      }
      await expectNewcomer(node, username, latest);
      expect(mailsTo(installation.mail, email), 'and then no more').toHaveLength(3);
    });

    test('resends the message with the same password if it was given', async () => {
      const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
      installation.answerFirst(email, 'drop');
      const { serial } = await node.givenUser({ email, username, password });
      await mailTo(installation.mail, email, 2);
      await untilSent(node, serial);
      expect(mailsTo(installation.mail, email).map(passwordIn)).toEqual([password, password]);
      await expectNewcomer(node, username, password);
    });

    test('does not resend to a user who received it and has already changed the password', async () => {
      const { mail } = installation;
      const [email, username] = [newAddress(), newId('u')];
      installation.answerFirst(email, 'hang');
      const { serial } = await node.givenUser({ email, username });
      const currentPassword = passwordIn(await mailTo(mail, email));
      const token = (await node.signIn(username, currentPassword)).json.data.accessToken;
      const body = { currentPassword, newPassword: `chosen by ${username}` };
      expect((await node.post('/service/auth/change-password', body, { token })).status).toBe(200);
      mail.letGo();
      const other = await node.givenUser({ email: newAddress() });
      await untilSent(node, other.serial);
      expect((await deliveryOf(node, serial)).state).toBe('cancelled');
      expect(mailsTo(mail, email)).toHaveLength(1);
      const signedIn = await node.signIn(username, body.newPassword);
      expect(signedIn.json.data.mustChangePassword).toBe(false);
    });

    test('does not delay messages to others', async () => {
      const { mail } = installation;
      const stuck = usersWithMail(3);
      for (const { email } of stuck) installation.answerFirst(email, 'hang');
      await node.createBulk(stuck);
      for (const { email } of stuck) await mailTo(mail, email);
      const other = await node.givenUser({ email: newAddress() });
      await untilSent(node, other.serial);
      expect(await countOf(node, 'waiting')).toBe(3);
      mail.letGo();
      await expect.poll(() => countOf(node, 'waiting')).toBe(0);
    });
  });

  test('replaces a message that is being sent after a reset, whose password alone works', async () => {
    const { mail } = installation;
    const [email, username] = [newAddress(), newId('u')];
    installation.answerFirst(email, 'hang');
    const { serial } = await node.givenUser({ email, username });
    const first = passwordIn(await mailTo(mail, email));
    const reply = await node.request('POST', `/service/users/${serial}/reset-password`);
    expect(reply.status).toBe(202);
    const second = passwordIn(await mailTo(mail, email, 2));
    mail.letGo();
    await untilSent(node, serial);
    const states = (await deliveriesOf(node, serial)).map(({ kind, state }) => [kind, state]);
    expect(states).toEqual([
      ['reset-password', 'sent'],
      ['initial-password', 'cancelled'],
    ]);
    expect((await node.signIn(username, first)).json.errorCode).toBe(10208);
    await expectNewcomer(node, username, second);
  });

  test('sends a message to a user who is activated while it becomes dormant', async () => {
    const email = newAddress();
    const created = await node.post('/service/users/create-bulk?deliver=hold', { items: [aUser({ email })] });
    const { serial } = created.json.data.successItems[0].response;
    await patchUser(node, serial, { isActive: false });
    const sleep = await halfway(
      installation,
      `BEFORE UPDATE ON deliveries FOR EACH ROW WHEN (NEW.state = 'dormant')`,
    );
    await release(node, { all: true });
    await expect.poll(sleep.reached).toBe(true);
    let activated = false;
    const activating = patchUser(node, serial, { isActive: true }).finally(() => {
      activated = true;
    });
    // Already done, or waiting for the other transaction.
    await expect.poll(async () => activated || (await sleep.waiting()) > 0).toBe(true);
    await sleep.goOn();
    expect((await activating).status).toBe(200);
    await expect.poll(() => mailsTo(installation.mail, email).length).toBe(1);
  });
});

describe('a delivery', () => {
  const service = useService();

  test('that another node claims while this one prepares it is left to the other', async () => {
    const { context, database } = service;
    const { serial } = await service.givenUser({ email: newAddress() });
    const claim = async () => {
      await database.pool.query(
        'UPDATE deliveries SET next_at = now(), claimed_until = NULL WHERE user_serial = $1',
        [serial],
      );
      const { keyIds } = context.cipher;
      const claimed = await claimDeliveries(database.pool, { keyIds, count: 10_000, leaseMs: 3_600_000 });
      return claimed.find(({ userSerial }) => userSerial === serial) as ClaimedDelivery;
    };
    const sent: Message[] = [];
    const channels = {
      description: '',
      deliver: async (message: Message) => {
        sent.push(message);
        return 'email' as const;
      },
      close: () => {},
    };
    const deliver = (from: typeof context, delivery: ClaimedDelivery) =>
      deliverPassword(from, channels, 'initial-password', delivery, silentLogger);
    let other: ClaimedDelivery | undefined;
    // The password is hashed before the claim is checked.
    const hash = async (password: string) => {
      other = await claim();
      return context.passwords.hash(password);
    };
    const passwords = Object.assign(Object.create(context.passwords), { hash });
    await deliver({ ...context, passwords }, await claim());
    expect(sent).toEqual([]);
    await deliver(context, other as unknown as ClaimedDelivery);
    expect(sent).toHaveLength(1);
    expect((await deliveryOf(service, serial)).state).toBe('sent');
  });

  test('remains only for the last of concurrent resets; the others are cancelled', async () => {
    const { serial } = await service.givenUser();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => service.request('POST', `/service/users/${serial}/reset-password`)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const states = (await deliveriesOf(service, serial)).map(({ state }) => state).toSorted();
    expect(states).toEqual([...Array(10).fill('cancelled'), 'waiting']);
  });
});

describe('between two steps of a delivery', () => {
  test.each([
    [
      'a reset',
      'AFTER DELETE ON credentials FOR EACH ROW',
      (node: TestService, serial: string) => node.request('POST', `/service/users/${serial}/reset-password`),
      202,
    ],
    [
      'a password change',
      'AFTER UPDATE ON credentials FOR EACH ROW WHEN (NOT NEW.must_change)',
      async (node: TestService, _: string, username: string, currentPassword: string) => {
        const token = (await node.signIn(username, currentPassword)).json.data.accessToken;
        const body = { currentPassword, newPassword: `chosen by ${username}` };
        return node.post('/service/auth/change-password', body, { token });
      },
      200,
    ],
  ] as const)('%s while the message is being prepared does not fail with a deadlock', async (...of) => {
    const [, trigger, change, status] = of;
    const installation = await Installation.start();
    const server = await installation.connect();
    await server.query(
      `ALTER DATABASE ${new URL(installation.databaseUrl).pathname.slice(1)} SET deadlock_timeout = '50ms'`,
    );
    const node = await installation.node(sendsNothing);
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { serial } = await node.givenUser({ email, username, password });
    const step = await halfway(installation, trigger);
    const changing = change(node, serial, username, password);
    await expect.poll(step.reached).toBe(true);
    // Claims the message, which is due: it either waits for the change to finish or skips it.
    await installation.node();
    await expect
      .poll(step.waiting, { timeout: 700 })
      .toBe(1)
      .catch(() => {});
    await step.goOn();
    const reply = await changing;
    expect(reply.status, reply.text).toBe(status);
  });
});
