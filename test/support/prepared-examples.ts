import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { toCsv, toXlsx } from '../../sheets/src/index.js';
import { askForToken, createdClient } from './api-clients.js';
import { callIdOf, givenCreates, givenUpdates } from './calls.js';
import { asFirstClient } from './command.js';
import { givenProvider, givenToken } from './providers.js';
import { givenApplication } from './relying-party.js';
import { anItem, aUser, newId, type TestService } from './service.js';
import type { Environment } from './shell.js';
import { aUrl, givenWebhook } from './webhooks.js';

const wiki = 'Wiki';
const known = ['E1001', 'E1002'].map((employeeID) => aUser({ employeeID }));

/** What the examples assume: credentials, two users, some organizations and tags, and one of everything that has an ID. */
export async function prepared(
  service: TestService,
  webhookSettings: Record<string, unknown> = {},
): Promise<Environment> {
  await ensureKnown(service);
  const [ada] = known as [(typeof known)[0]];
  const requestId = newId('sync-');
  const [call, planned, delivery, webhook, client] = await Promise.all([
    givenUpdates(service, [anItem(ada, { phone: '+44 20 7946 0958' })]),
    plannedBySomeoneElse(service),
    heldDelivery(service),
    givenWebhook(service, webhookSettings),
    givenProvider(service),
    heldRequest(service, requestId),
    ensureDirectories(service),
    ensureAttributes(service),
    ensureApplication(service),
  ]);
  const token = await givenToken(service, client);
  const target = await service.post('/service/scim/targets', {
    ...{ name: wiki, url: webhookSettings.url ?? aUrl, token: 'token' },
  });
  return {
    ...asFirstClient(service),
    CALL: call,
    PLANNED: planned,
    REQUEST: requestId,
    DELIVERY: delivery,
    WEBHOOK: webhook.id,
    TARGET: target.json.data.id,
    CLIENT: client.clientId,
    CLIENT_TOKEN: token.id,
  };
}

/** A message to a webhook, which the service sends nothing by itself. */
export async function sentMessage(service: TestService, webhookId: string): Promise<string> {
  const { rows } = await service.database.pool.query(
    `INSERT INTO webhook_deliveries (id, webhook_id, sequences, event_type, attempt, is_delivered, duration_ms)
     SELECT gen_random_uuid(), $1, ARRAY[max(seq)], 'user.created', 1, false, 1 FROM changes WHERE kind = 'created'
     RETURNING id`,
    [webhookId],
  );
  return rows[0].id;
}

/** What the examples of feeds assume: a feed with a run that ended and one that waits, and one with a folder. */
export async function preparedFeeds(service: TestService): Promise<Environment> {
  const fields = ['employeeID', 'name', 'email'];
  const mapping = { columns: fields.map((field) => ({ field, columns: [field] })) };
  const feeds = [
    { key: 'workday', source: { type: 'upload' }, limits: { createsMax: 1 } },
    { key: 'nightly', source: { type: 'folder', path: 'staff.csv' } },
  ];
  for (const feed of feeds) {
    // Earlier examples may have deleted it, or started a run that cannot be deleted yet.
    const path = `/service/feeds/${feed.key}`;
    await expect.poll(async () => (await service.request('DELETE', path)).status).toBeOneOf([200, 404]);
    const created = await service.post('/service/feeds', { ...feed, name: 'Staff', mapping });
    if (created.status !== 201) throw new Error(`the feed was not created: ${created.text}`);
  }
  const upload = async (names: readonly string[], state: string): Promise<string> => {
    const rows = names.map((name) => [newId(), name, 'new@example.com']);
    const uploaded = await service.request('PUT', '/service/feeds/workday/file', {
      rawBody: toCsv([fields, ...rows]),
      headers: { 'content-type': 'text/csv' },
    });
    const { id } = uploaded.json.data;
    const stateNow = async () => (await service.get(`/service/feeds/workday/runs/${id}`)).json.data.state;
    await expect.poll(stateNow, { interval: 20 }).toBe(state);
    return id;
  };
  return {
    FEED_RUN: await upload(['Grace Hopper'], 'done'),
    FEED_WAITING: await upload(['Joan Clarke', 'Edith Clarke'], 'waiting'),
  };
}

/** Earlier examples may have renamed them. */
async function ensureKnown(service: TestService): Promise<void> {
  const employeeIDs = known.map(({ employeeID }) => employeeID);
  const { json } = await service.post('/service/users/lookup', { employeeIDs });
  const there = json.data.items.map(({ employeeID }: { employeeID: string }) => employeeID);
  const missing = known.filter(({ employeeID }) => !there.includes(employeeID));
  if (missing.length > 0) await givenCreates(service, missing);
}

/** Earlier examples may have removed some of them. */
async function ensureDirectories(service: TestService): Promise<void> {
  const known = { organizations: ['ORG1', 'ORG7', 'ORG8', 'ORG9'], tags: ['T1', 'T2', 'T9'] };
  for (const [directory, serials] of Object.entries(known)) {
    for (const serial of serials) {
      await service.request('PUT', `/service/${directory}/${serial}`, { body: { displayName: serial } });
    }
  }
}

/** Earlier examples may have renamed, retired or deleted them. */
async function ensureAttributes(service: TestService): Promise<void> {
  const known = [
    { key: 'department', type: 'text' },
    { key: 'startDate', type: 'date' },
    { key: 'site', type: 'choice', choices: ['Berlin'] },
  ];
  for (const attribute of known) {
    const created = await service.post('/service/attributes', { ...attribute, isFilterable: true });
    if (created.status === 201) continue;
    const body = { isRetired: false, isFilterable: true };
    await service.request('PATCH', `/service/attributes/${attribute.key}`, { body });
  }
}

/** Earlier examples may have deleted it. */
async function ensureApplication(service: TestService): Promise<void> {
  const { json } = await service.get('/service/applications');
  const isThere = json.data.items.some(({ name }: { name: string }) => name === wiki);
  if (!isThere) await givenApplication(service, { name: wiki });
}

/** Awaits the approval of the client that runs the examples. */
async function plannedBySomeoneElse(service: TestService): Promise<string> {
  const author = await askForToken(service, await createdClient(service));
  const reply = await service.post(
    '/service/users/create-bulk?approval=required&effectiveAt=2099-12-31',
    { items: [aUser()] },
    { token: author.json.access_token },
  );
  return callIdOf(reply);
}

async function heldDelivery(service: TestService): Promise<string> {
  const { serials } = await givenCreates(service, [aUser()], '?deliver=hold');
  const { json } = await service.get(`/service/deliveries?userSerial=${serials[0]}`);
  return json.data.items[0].id;
}

async function heldRequest(service: TestService, requestId: string): Promise<void> {
  const reply = await service.post(
    '/service/users/create-bulk?deliver=hold',
    { items: [aUser(), aUser()] },
    { headers: { 'x-request-id': requestId } },
  );
  callIdOf(reply);
}

const fields = ['employeeID', 'name', 'email', 'phone', 'isActive'] as const;
type Row = Readonly<Record<(typeof fields)[number], string | boolean | null>>;

/** The files named in the examples of `sync`, `feeds` and `apply`. */
export async function writeFiles(home: string, service: TestService): Promise<void> {
  const newcomers = ['Grace Hopper', 'Joan Clarke'].map(
    (name): Row => ({
      employeeID: newId(),
      name,
      email: 'new@example.com',
      phone: null,
      isActive: true,
    }),
  );
  const row = (user: Row) => fields.map((field) => user[field]);
  await writeFile(join(home, 'users.csv'), toCsv([fields, ...newcomers.map(row)]));
  const { json } = await service.get('/service/users?limit=200');
  const allUsers: Row[] = [...json.data.items, ...newcomers];
  if (json.data.nextCursor !== null) throw new Error('more users than fit on one page');
  await writeFile(join(home, 'all-users.xlsx'), toXlsx([fields, ...allUsers.map(row)]));
  const renamed = [
    ['Employee ID', 'First name', 'Last name', 'Old ID', 'Email'],
    [newId(), 'Jürgen', 'Groß', 'E1002', 'juergen@example.com'],
    [newId(), 'Änne', 'Weiß', '', 'aenne@example.com'],
  ];
  const attributes = '- { key: site, choices: [Berlin, Lyon] }\n- { key: floor, type: number }\n';
  await writeFile(join(home, 'attributes.yaml'), `attributes:\n${attributes}`);
  const applications = `- { name: ${wiki}, redirectUris: ['https://wiki.example.com/callback'], scopes: [openid] }\n`;
  await writeFile(join(home, 'applications.yaml'), `applications:\n${applications}`);
  const feeds = `- { key: workday, name: Staff from Workday, secret: { file: password.txt } }\n`;
  await writeFile(join(home, 'feeds.yaml'), `feeds:\n${feeds}`);
  await writeFile(join(home, 'password.txt'), 'correct horse battery staple\n');
  await writeFile(join(home, 'renamed.csv'), toCsv(renamed, { separator: ';' }));
}
