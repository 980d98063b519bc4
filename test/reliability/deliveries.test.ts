import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Environment } from '../../src/config.js';
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
import { startPostgres } from '../support/postgres-server.js';
import { aUser, createDatabase, newId, TestService } from '../support/service.js';
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

/** A database, a mail server and nodes that all stop with the test. */
class Installation {
  readonly mail: MailWitness;
  readonly databaseUrl: string;

  private constructor(mail: MailWitness, databaseUrl: string) {
    this.mail = mail;
    this.databaseUrl = databaseUrl;
  }

  static async start(databaseUrl?: string): Promise<Installation> {
    const installation = new Installation(await openMailWitness(), databaseUrl ?? (await createDatabase()));
    onTestFinished(() => installation.mail.stop());
    return installation;
  }

  get environment() {
    return { ...sendsAtOnce, ...shared, SMTP_URL: this.mail.url, DATABASE_URL: this.databaseUrl };
  }

  async node(environment: Environment = {}): Promise<TestService> {
    const node = await TestService.start({ ...this.environment, ...environment });
    onTestFinished(async () => {
      await this.mail.stop(); // first, so that no node waits for a hanging server
      await node.stop();
    });
    return node;
  }

  /** The first messages to each address get these answers; later ones are accepted. */
  answerFirst(...answers: Answer[]): void {
    const given = new Map<string, number>();
    this.mail.answer = (to) => {
      const count = given.get(to) ?? 0;
      given.set(to, count + 1);
      return answers[count] ?? 'accept';
    };
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

function peopleWithMail(count: number): (Record<string, unknown> & { email: string; username: string })[] {
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

describe('several nodes', () => {
  test('send every message once and share the work', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [one] = [await installation.node(), await installation.node()];
    const people = peopleWithMail(300);
    mail.answer = () => 'hang';
    expect((await one.createBulk(people)).json.data.successItems).toHaveLength(300);
    // No node exceeds its own limit, so the other one must be sending the rest.
    await expect.poll(() => mail.messages.length).toBe(2 * Number(sendsAtOnce.ROLLCALL_DELIVERIES_AT_ONCE));
    mail.answer = () => 'accept';
    mail.letGo();
    await expect.poll(() => countOf(one, 'sent')).toBe(300);
    const addresses = mail.messages.map(({ envelope }) => envelope.to[0] ?? '');
    expect(addresses.toSorted()).toEqual(people.map(({ email }) => email).toSorted());
    for (const { email, username } of people.filter((_, index) => index % 60 === 0)) {
      await expectNewcomer(one, username, passwordIn(await mailTo(mail, email)));
    }
  });

  test('never send a message concurrently, even if the mail server hangs', async () => {
    const installation = await Installation.start();
    const [one] = [await installation.node(impatient), await installation.node(impatient)];
    installation.answerFirst('hang');
    const people = peopleWithMail(12);
    await one.createBulk(people);
    await expect.poll(() => countOf(one, 'sent')).toBe(12);
    for (const { email } of people) {
      expect(mailsTo(installation.mail, email).length).toBeGreaterThanOrEqual(2);
    }
    expect(installation.mail.sendsAtOnceMax).toBe(1);
  });

  test('never send a message concurrently, even if it is resent meanwhile', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [one, two] = [await installation.node(), await installation.node()];
    const email = newAddress();
    mail.answer = (to) => (to === email ? 'hang' : 'accept');
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

  test('never send a message concurrently, even if the database delays a node beyond its claim', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const [one] = [await installation.node(impatient), await installation.node(impatient)];
    const holder = await installation.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE credentials IN EXCLUSIVE MODE');
    installation.answerFirst('hang');
    const [email, username] = [newAddress(), newId('u')];
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

  test('with different keys send a given password only from nodes that have its key', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const taking = await installation.node({ ...sendsNothing, ...ownKey });
    const other = await installation.node(ownKey);
    const [email, password] = [newAddress(), `given ${newId()}`];
    const { serial } = await taking.givenUser({ email, password });
    // A node that sends this message has had longer to find the other one.
    const later = await taking.givenUser({ email: newAddress() });
    await untilSent(other, later.serial);
    expect(await deliveryOf(other, serial)).toMatchObject({ state: 'waiting', attempts: 0, lastError: null });
    const key = readFileSync(join(taking.dataDir, 'secret.key'), 'utf8').trim();
    await installation.node({ ROLLCALL_SECRET_KEY: key });
    expect(passwordIn(await mailTo(mail, email))).toBe(password);
  });

  test('with different keys replace a given password if it is resent by a node without its key', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const taking = await installation.node({ ...sendsNothing, ...ownKey });
    const other = await installation.node(ownKey);
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { serial } = await taking.givenUser({ email, username, password });
    const { id } = await deliveryOf(taking, serial);
    const kept = await resend(taking, id);
    expect(kept.json.data.state, 'the node with the key keeps it').toBe('waiting');
    const later = await taking.givenUser({ email: newAddress() });
    await untilSent(other, later.serial);
    expect(mailsTo(mail, email)).toEqual([]);
    expect((await resend(other, id)).status).toBe(200);
    const sent = passwordIn(await mailTo(mail, email));
    expect(sent).not.toBe(password);
    expect((await other.signIn(username, password)).json.errorCode).toBe(10208);
    await expectNewcomer(other, username, sent);
  });
});

describe('the rate limit', () => {
  const perSecond = 10;
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

  test("is shared by all nodes: no period exceeds it by more than one second's worth", async () => {
    const installation = await Installation.start();
    const quiet = await installation.node(sendsNothing);
    const spendings = await noteSpending(quiet.database);
    await quiet.createBulk(peopleWithMail(30));
    await Promise.all([installation.node(paced), installation.node(paced)]);
    await expect.poll(() => countOf(quiet, 'sent')).toBe(30);
    const spent = await spendings();
    expect(spent.reduce((sum, { messages }) => sum + messages, 0)).toBe(30);
    for (const [from, first] of spent.entries()) {
      let messages = 0;
      for (const until of spent.slice(from)) {
        messages += until.messages;
        const allowed = perSecond * (1 + until.seconds - first.seconds);
        expect(messages, `in ${until.seconds - first.seconds} s`).toBeLessThanOrEqual(allowed + 0.001);
      }
    }
  });

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

  test('does not delay a single user behind a bulk call', async () => {
    const installation = await Installation.start();
    const quiet = await installation.node(sendsNothing);
    const claimedFirst = await noteClaims(quiet.database);
    await quiet.createBulk(peopleWithMail(50));
    const { serial } = await quiet.givenUser({ email: newAddress() });
    await installation.node(paced);
    await untilSent(quiet, serial);
    expect(await claimedFirst()).toContain(serial);
    expect((await claimedFirst()).length).toBeLessThanOrEqual(perSecond);
  });

  test('does not delay a resent message, even if it was part of the bulk call', async () => {
    const installation = await Installation.start();
    const quiet = await installation.node(sendsNothing);
    const claimedFirst = await noteClaims(quiet.database);
    await quiet.createBulk(peopleWithMail(50));
    const [last] = (await quiet.get('/service/deliveries?limit=1')).json.data.items;
    expect((await resend(quiet, last.id)).status).toBe(200);
    await installation.node(paced);
    await untilSent(quiet, last.userSerial);
    expect(await claimedFirst()).toContain(last.userSerial);
    expect((await claimedFirst()).length).toBeLessThanOrEqual(perSecond);
  });
});

describe('a node that ends', () => {
  test('by SIGKILL while sending leaves the message to another node, but only after the claim expires', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const asking = await installation.node(sendsNothing);
    const doomed = await spawned({
      ...installation.environment,
      ROLLCALL_DELIVERY_TIMEOUT_MS: '3000', // so its claim expires soon
      ROLLCALL_DATA_DIR: temporaryDirectory(),
    });
    await doomed.ready();
    installation.answerFirst('hang');
    const [email, username] = [newAddress(), newId('u')];
    const { serial } = await asking.givenUser({ email, username });
    const first = passwordIn(await mailTo(mail, email));
    await doomed.kill('SIGKILL');
    const { rows } = await asking.database.pool.query<{ claimed_until: Date }>(
      'SELECT claimed_until FROM deliveries WHERE user_serial = $1',
      [serial],
    );
    await installation.node();
    const second = passwordIn(await mailTo(mail, email, 2));
    const [, again] = mailsTo(mail, email);
    expect(again?.arrivedAt.getTime()).toBeGreaterThanOrEqual(rows[0]?.claimed_until.getTime() ?? Infinity);
    expect((await untilSent(asking, serial)).attempts).toBeGreaterThanOrEqual(2);
    expect((await asking.signIn(username, first)).json.errorCode).toBe(10208);
    await expectNewcomer(asking, username, second);
    expect(mail.sendsAtOnceMax).toBe(1);
  });

  test('by a regular stop finishes its current message and starts no other', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const asking = await installation.node(sendsNothing);
    const stopping = await TestService.start(installation.environment);
    installation.answerFirst('hang');
    const { serial } = await asking.givenUser({ email: newAddress() });
    await expect.poll(() => mail.messages.length).toBe(1);
    let ended = false;
    const stopped = stopping.stop().then(() => {
      ended = true;
    });
    await expect.poll(() => fetch(`${stopping.url}/healthz`).catch(() => 'closed')).toBe('closed');
    const late = await asking.givenUser({ email: newAddress() });
    expect(ended).toBe(false);
    expect((await deliveryOf(asking, serial)).state).toBe('waiting');
    mail.letGo();
    await stopped;
    expect(await deliveryOf(asking, serial)).toMatchObject({ state: 'sent', attempts: 1 });
    expect(await deliveryOf(asking, late.serial)).toMatchObject({ state: 'waiting', attempts: 0 });
  });
});

describe('a regular stop', () => {
  test('does not wait for a mail server beyond the shutdown timeout; the message is sent later', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const asking = await installation.node(sendsNothing);
    const stopping = await TestService.start({
      ...installation.environment,
      ROLLCALL_SHUTDOWN_TIMEOUT_MS: '300',
      ROLLCALL_DELIVERY_TIMEOUT_MS: '30000',
    });
    installation.answerFirst('hang');
    const email = newAddress();
    const { serial } = await asking.givenUser({ email });
    await mailTo(mail, email);
    await stopping.stop();
    expect(await deliveryOf(asking, serial)).toMatchObject({ state: 'waiting', attempts: 1 });
    await asking.database.pool.query('UPDATE deliveries SET next_at = now()'); // the claim has expired
    await installation.node();
    await mailTo(mail, email, 2);
    await untilSent(asking, serial);
  });
});

describe('a database outage', () => {
  test("while sending delays messages but loses none, and each user's latest password works", async () => {
    const server = await startPostgres(['-c', 'fsync=off']);
    onTestFinished(server.stop);
    const installation = await Installation.start(server.url);
    const { mail } = installation;
    const node = await installation.node({ ROLLCALL_DELIVERY_TIMEOUT_MS: '5000' });
    const people = peopleWithMail(40);
    // When the database goes down, some messages are sent and others are in progress.
    const through = 20;
    const underWay = Number(sendsAtOnce.ROLLCALL_DELIVERIES_AT_ONCE);
    mail.answer = () => (mail.messages.length <= through ? 'accept' : 'hang');
    await node.createBulk(people);
    await expect.poll(() => mail.messages.length).toBe(through + underWay);
    await server.halt();
    // They are now sent, but that can't be recorded.
    mail.answer = () => 'accept';
    mail.letGo();
    await server.resume();
    await expect.poll(() => countOf(node, 'sent').catch(() => 0)).toBe(40);
    for (const { email } of people) expect(mailsTo(mail, email).length).toBeGreaterThanOrEqual(1);
    const twice = people.filter(({ email }) => mailsTo(mail, email).length > 1);
    expect(twice.length, 'only those that were under way').toBeLessThanOrEqual(underWay);
    for (const { email, username } of [...twice, ...people.slice(-2)]) {
      await expectNewcomer(node, username, passwordIn(mailsTo(mail, email).at(-1) ?? {}));
    }
  });
});

describe('a message whose confirmation is lost', () => {
  /** Retries within milliseconds. */
  const eager = {
    ROLLCALL_DELIVERY_PAUSE_MS: '30',
    ROLLCALL_DELIVERY_PAUSE_MAX_MS: '60',
    ROLLCALL_DELIVERY_TIMEOUT_MS: '3000',
  };

  test.each(['drop', 'hang'] as const)(
    'is resent with a new password each time, of which only the latest works (%s)',
    async (trouble) => {
      const installation = await Installation.start();
      const node = await installation.node(eager);
      installation.answerFirst(trouble, 'drop');
      const [email, username] = [newAddress(), newId('u')];
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
    },
  );

  test('is resent with the same password if it was given', async () => {
    const installation = await Installation.start();
    const node = await installation.node(eager);
    installation.answerFirst('drop');
    const [email, username, password] = [newAddress(), newId('u'), `given ${newId()}`];
    const { serial } = await node.givenUser({ email, username, password });
    await mailTo(installation.mail, email, 2);
    await untilSent(node, serial);
    expect(mailsTo(installation.mail, email).map(passwordIn)).toEqual([password, password]);
    await expectNewcomer(node, username, password);
  });

  test('is not resent to a user who received it and has already changed the password', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const node = await installation.node(eager);
    const [email, username] = [newAddress(), newId('u')];
    mail.answer = (to) => (to === email ? 'hang' : 'accept');
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
    const installation = await Installation.start();
    const { mail } = installation;
    const node = await installation.node(eager);
    const stuck = peopleWithMail(3);
    mail.answer = (to) => (stuck.some(({ email }) => email === to) ? 'hang' : 'accept');
    await node.createBulk(stuck);
    await expect.poll(() => mail.messages.length).toBe(3);
    const other = await node.givenUser({ email: newAddress() });
    await untilSent(node, other.serial);
    expect(await countOf(node, 'waiting')).toBe(3);
  });
});

describe('a message that is being sent', () => {
  test('is superseded by a reset: its password stops working, and that of the reset works', async () => {
    const installation = await Installation.start();
    const { mail } = installation;
    const node = await installation.node();
    installation.answerFirst('hang');
    const [email, username] = [newAddress(), newId('u')];
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

  test('remains only for the last of several concurrent resets; the others are cancelled', async () => {
    const installation = await Installation.start();
    const node = await installation.node(sendsNothing);
    const { serial } = await node.givenUser();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => node.request('POST', `/service/users/${serial}/reset-password`)),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(10).fill(202));
    const states = (await deliveriesOf(node, serial)).map(({ state }) => state).toSorted();
    expect(states).toEqual([...Array(10).fill('cancelled'), 'waiting']);
  });
});

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

describe('between two steps of a delivery', () => {
  test('a user activated while the message becomes dormant still receives it', async () => {
    const installation = await Installation.start();
    const node = await installation.node();
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
