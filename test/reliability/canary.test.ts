import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { everythingStored, mailsTo, newAddress, passwordIn } from '../support/deliveries.js';
import { type MailServer, openMailServer } from '../support/mail-server.js';
import { aUser, credentialsIn, issueToken, newId } from '../support/service.js';
import { ServiceProcess } from '../support/service-process.js';

/** The secrets that were told to the service or made by it, by where that was. */
const secrets = new Map<string, string>();

/** All that is told begins with this, which is like no other text; what is made begins as it likes. */
const told = `Canary${randomBytes(10).toString('hex')}`;

/** Letters and digits, so that it may stand wherever a text may. */
function canary(place: string): string {
  const text = `${told}x${secrets.size + 100}`;
  secrets.set(place, text);
  return text;
}

/** As it is, folded, and in the codings in which it could be stored or logged. */
function formsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  const texts = [secret, secret.toLowerCase(), bytes.toString('hex'), bytes.toString('hex').toUpperCase()];
  // In Base64 the letters depend on where in a group of three bytes the text begins.
  for (const [before, skipped] of [
    [0, 0],
    [1, 2],
    [2, 3],
  ] as const) {
    const padded = Buffer.concat([Buffer.alloc(before), bytes]);
    for (const coding of ['base64', 'base64url'] as const) {
      texts.push(padded.toString(coding).replaceAll('=', '').slice(skipped, -1));
    }
  }
  return [...texts.map((text) => Buffer.from(text)), Buffer.from(secret, 'utf16le')];
}

/** The places of the secrets that are in the bytes. */
function foundIn(haystack: string | Buffer): string[] {
  const bytes = typeof haystack === 'string' ? Buffer.from(haystack) : haystack;
  const holds = (secret: string) => formsOf(secret).some((form) => bytes.includes(form));
  const made = [...secrets].filter(([, secret]) => !secret.startsWith(told));
  const places = (holds(told) ? [...secrets] : made).filter(([, secret]) => holds(secret)).map(([at]) => at);
  return places.length === 0 && holds(told) ? ['a part of a secret'] : places;
}

function filesUnder(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

describe('no secret is anywhere but with the person it is for', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  const replies: { request: string; reply: string }[] = [];
  let mail: MailServer;
  let service: ServiceProcess;
  let clientToken = '';
  /** Something that is no secret and must be found, or the search is worth nothing. */
  let employeeID = '';
  let tables = '';

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { authorization: `Bearer ${clientToken}` },
    // biome-ignore lint/suspicious/noExplicitAny: the steps look into replies of every shape
  ): Promise<any> {
    const isText = typeof body === 'string' || body instanceof URLSearchParams;
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: {
        ...(isText || body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const head = JSON.stringify([...response.headers]);
    replies.push({ request: `${method} ${path}`, reply: `${response.status} ${head} ${text}` });
    return JSON.parse(text || '{}');
  }

  const asJson = () => ({ authorization: `Bearer ${clientToken}`, 'content-type': 'application/json' });
  const signIn = (username: unknown, password: unknown) =>
    send('POST', '/service/auth/sign-in', { username, password }, {});

  /** The password in the latest of so many messages to the address. */
  function passwordSentTo(address: string, messages = 1): Promise<string> {
    const latest = () => {
      expect(mailsTo(mail, address)).toHaveLength(messages);
      return passwordIn(mailsTo(mail, address).at(-1) ?? {});
    };
    return vi.waitFor(latest, { timeout: 120_000 });
  }

  async function createPeople(): Promise<void> {
    const taken = aUser();
    ({ employeeID } = taken);
    await send('POST', '/service/users', taken);
    const email = newAddress();
    const given = canary('a create');
    await send('POST', '/service/users', aUser({ email, password: given }));
    expect(await passwordSentTo(email), 'the person gets it').toBe(given);
    await send('POST', '/service/users', { ...taken, password: canary('a create that fails') });
    await send('POST', '/service/users', aUser({ password: [canary('a list as password')] }));
    await send('POST', '/service/users', aUser({ password: canary('a long password').repeat(9) }));
    await send('POST', '/service/users', aUser({ Password: canary('a field in another case') }));
    const report = await send('POST', '/service/users/create-bulk', {
      items: [
        aUser({ email: newAddress(), password: canary('a bulk create') }),
        { ...taken, password: canary('a bulk item that fails') },
        aUser({ email: 'none', password: canary('a bulk item that is refused') }),
        aUser({ password: { is: canary('an object as password') } }),
      ],
    });
    expect(report.data.successItems).toHaveLength(1);
    expect(report.data.failedItems).toHaveLength(3);
    await send('POST', '/service/users/create-bulk?deliver=hold', {
      items: [aUser({ password: canary('a message that is held') })],
    });
    await send('POST', '/service/users', aUser({ isActive: false, password: canary('a dormant message') }));
  }

  async function signInWrongly(): Promise<void> {
    const username = newId('u');
    await send('POST', '/service/users', aUser({ username, password: 'initial password' }));
    await signIn(username, canary('a wrong password'));
    await signIn(canary('a password typed as username'), 'x');
    await signIn([canary('a list as username')], 'x');
    await signIn(username, { is: canary('an object as password of a sign-in') });
  }

  async function changePassword(): Promise<void> {
    const [username, email] = [newId('u'), newAddress()];
    const { data } = await send('POST', '/service/users', aUser({ username, email }));
    const generated = await passwordSentTo(email);
    secrets.set('a generated password', generated);
    const session = await signIn(username, generated);
    const change = (currentPassword: unknown, newPassword: unknown) =>
      send(
        'POST',
        '/service/auth/change-password',
        { currentPassword, newPassword },
        { authorization: `Bearer ${session.data.accessToken}` },
      );
    await change(canary('a wrong current password'), 'correct horse battery');
    await change(generated, canary('a new password that is refused').repeat(9));
    await change(canary('both passwords'), secrets.get('both passwords'));
    const chosen = canary('a chosen password');
    expect((await change(generated, chosen)).status).toBe('success');
    expect((await signIn(username, chosen)).status).toBe('success');
    expect((await send('POST', `/service/users/${data.serial}/reset-password`)).status).toBe('success');
    secrets.set('a password after a reset', await passwordSentTo(email, 2));
  }

  async function askForTokens(): Promise<void> {
    const { clientId } = credentialsIn(dataDir);
    const grant = { grant_type: 'client_credentials' };
    const form = (fields: Record<string, string>) => new URLSearchParams({ ...grant, ...fields });
    const basic = (secret: string) => ({
      authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    });
    await send(
      'POST',
      '/oauth/token',
      form({ client_id: clientId, client_secret: canary('a client secret') }),
      {},
    );
    await send('POST', '/oauth/token', form({}), basic(canary('a client secret in the header')));
    const twice = canary('a client secret in both places');
    await send('POST', '/oauth/token', form({ client_id: clientId, client_secret: twice }), basic(twice));
    await send(
      'POST',
      '/oauth/token',
      form({ client_id: canary('a secret as client ID'), client_secret: 'x' }),
      {},
    );
  }

  async function sendNonsense(): Promise<void> {
    await send(
      'POST',
      '/service/users',
      `{"password": "${canary('a body that is no JSON')}" oops}`,
      asJson(),
    );
    await send('POST', '/service/users', `{"password": "${canary('a body that is cut short')}`, asJson());
    const deep = `${'['.repeat(100)}"${canary('a body that is too deep')}"${']'.repeat(100)}`;
    await send('POST', '/service/users', deep, asJson());
    await send('POST', '/service/users', { password: canary('a body that is too large').repeat(5_000) });
    await send('POST', '/service/users', canary('a body of another type'), {
      ...asJson(),
      'content-type': 'text/plain',
    });
    await send('POST', '/service/users/create-bulk', { items: canary('a text for items') });
    await send('DELETE', '/service/users', { password: canary('a method that is not there') });
    await send('GET', `/service/users?password=${canary('an unknown parameter')}`);
    await send('GET', `/service/users?search=${canary('a search')}`);
    await send('GET', `/service/nothing/${canary('a path that is not there')}`);
    await send('GET', '/service/users', undefined, { authorization: `Bearer ${canary('a token')}` });
    await send('GET', '/service/users', undefined, { authorization: `Bearer rcs_${canary('a session')}` });
  }

  async function readLists(): Promise<void> {
    for (const path of ['/service/deliveries', '/service/access-events', '/service/users']) {
      let cursor: string | null = '';
      while (cursor !== null) {
        const reply = await send('GET', `${path}?limit=200${cursor ? `&cursor=${cursor}` : ''}`);
        expect(reply.status).toBe('success');
        cursor = reply.data.nextCursor;
      }
    }
  }

  beforeAll(async () => {
    mail = await openMailServer();
    service = await ServiceProcess.spawn({
      ROLLCALL_DATA_DIR: dataDir,
      SMTP_URL: mail.url,
      LOG_LEVEL: 'trace',
      ROLLCALL_ARGON2_MEMORY_KIB: '8192',
      ROLLCALL_ARGON2_PASSES: '1',
      ROLLCALL_DELIVERY_POLL_MS: '50',
      ROLLCALL_DELIVERIES_PER_MINUTE_MAX: '60000',
    });
    await service.ready();
    clientToken = await issueToken(service.url, credentialsIn(dataDir));
    await createPeople();
    await signInWrongly();
    await changePassword();
    await askForTokens();
    await sendNonsense();
    await readLists();
    expect(await service.kill('SIGTERM')).toBe(0);
    const database = await openEmbedded(dataDir);
    tables = await everythingStored(database.pool);
    await database.close();
  });
  afterAll(async () => {
    if (service.child.exitCode === null) await service.kill('SIGKILL');
    await mail.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('the search would find them', () => {
    expect(secrets.size).toBeGreaterThan(35);
    for (const place of ['a create', 'a generated password']) {
      const secret = secrets.get(place) ?? '';
      for (const form of formsOf(secret)) {
        expect(foundIn(Buffer.concat([Buffer.from('x'), form])), form.toString()).toContain(place);
      }
      for (const before of ['', 'a', 'ab']) {
        expect(foundIn(Buffer.from(`${before}${secret}!`).toString('base64'))).toContain(place);
      }
    }
    expect(foundIn('nothing')).toEqual([]);
  });

  test('in what the process wrote, at its most talkative', () => {
    expect(service.output).toContain('/service/users');
    expect(service.output).toContain('message sent');
    expect(foundIn(service.output)).toEqual([]);
  });

  test('in any reply, the lists of deliveries and of access events among them', () => {
    expect(replies.some(({ reply }) => reply.includes('"sign-in.failed"'))).toBe(true);
    expect(replies.some(({ reply }) => reply.includes('"held"'))).toBe(true);
    const found = replies.flatMap(({ request, reply }) =>
      foundIn(reply).map((place) => ({ request, place })),
    );
    expect(found).toEqual([]);
  });

  test('in any table', () => {
    expect(tables).toContain(employeeID);
    expect(foundIn(tables)).toEqual([]);
  });

  test('in any file of the data directory', () => {
    const files = filesUnder(dataDir);
    expect(files.some((file) => readFileSync(file).includes(employeeID))).toBe(true);
    expect(existsSync(join(dataDir, 'outbox')), 'mails went to the server').toBe(false);
    const found = files.flatMap((file) =>
      foundIn(readFileSync(file)).map((place) => ({ file: relative(dataDir, file), place })),
    );
    expect(found).toEqual([]);
  });

  test('in a mail to anybody else', () => {
    const held = secrets.get('a message that is held') ?? '';
    expect(mail.messages.filter(({ text }) => text?.includes(held))).toEqual([]);
    const given = secrets.get('a create') ?? '';
    const receivers = mail.messages.filter(({ text }) => text?.includes(given));
    expect(receivers).toHaveLength(1);
    expect(mailsTo(mail, receivers[0]?.envelope.to[0] ?? '')).toHaveLength(1);
  });
});
