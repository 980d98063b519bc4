import { randomBytes } from 'node:crypto';

/** Where to send requests. */
export interface Target {
  readonly url: string;
  readonly token: string;
}

/** Requests that were sent, and those that weren't answered as they should be. */
export interface Tally {
  sent: number;
  readonly failures: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
type Json = any;

/** Uses most operations that every version of the API has had, with data of its own. */
export async function apiJourney(target: Target, tally: Tally): Promise<void> {
  const send = sender(target, tally);
  const id = `R${randomBytes(8).toString('hex')}`;
  const created = await send('POST', '/service/users', aUser(id, { username: id, password: 'secret-1' }));
  const serial = created?.data.serial;
  await send('GET', `/service/users/${serial}`);
  await send('PATCH', `/service/users/${serial}`, { organizationSerial: 'O1', tagSerials: ['T1'] });
  await send('POST', '/service/users/create-bulk', { items: [aUser(`${id}a`), aUser(`${id}b`)] });
  const renames = [anUpdate(`${id}a`, { newEmployeeID: `${id}c` }), anUpdate(`${id}b`, { phone: '030 123' })];
  await send('POST', '/service/users/update-bulk', { items: renames });
  await send('POST', '/service/users/update-bulk?dryRun=true', { items: [anUpdate(`${id}b`)] });
  await send('POST', '/service/users/lookup', { employeeIDs: [`${id}b`, `${id}c`] });
  await readUsers(send, id, serial);
  await readCalls(send);
  await manageAccess(send, id, serial);
  await manageDeliveries(send);
  await manageReceivers(send);
}

async function readUsers(send: Send, id: string, serial: string): Promise<void> {
  const queries = [
    '',
    '?sort=name',
    '?isActive=false',
    '?organizationSerial=O1',
    '?tagSerial=T1',
    `?employeeID=${id}`,
  ];
  for (const query of queries) await send('GET', `/service/users${query}`);
  await send('GET', `/service/users?search=${id}`);
  await send('GET', `/service/users/${serial}/history`);
  await send('GET', '/service/changes?limit=5');
}

async function readCalls(send: Send): Promise<void> {
  const calls = await send('GET', '/service/calls?limit=5');
  const undoable = calls?.data.items.find((call: Json) => call.kind === 'update' && call.undoneBy == null);
  await send('GET', `/service/calls/${calls?.data.items[0].id}`);
  // Another journey may undo the same call at the same time.
  if (undoable) await send('POST', `/service/calls/${undoable.id}/undo?dryRun=true`);
}

async function manageAccess(send: Send, id: string, serial: string): Promise<void> {
  await send('PUT', `/service/users/${serial}/role`, { role: 'viewer' });
  await send('GET', `/service/users/${serial}/role`);
  const session = await send('POST', '/service/auth/sign-in', { username: id, password: 'secret-1' });
  const passwords = { currentPassword: 'secret-1', newPassword: 'orange bicycles at noon' };
  const changed = await send('POST', '/service/auth/change-password', passwords, session?.data.accessToken);
  // A service of the last release goes on with the same token.
  const token = changed?.data.accessToken ?? session?.data.accessToken;
  await send('GET', '/service/auth/me', undefined, token);
  await send('POST', '/service/auth/sign-out', undefined, token);
  await send('POST', `/service/users/${serial}/reset-password`);
  const client = await send('POST', '/service/clients', { name: id, scopes: ['users:read'] });
  await send('POST', `/service/clients/${client?.data.id}/rotate`, {});
  await send('PATCH', `/service/clients/${client?.data.id}`, { isActive: false });
  await send('GET', '/service/access-events?limit=5');
}

async function manageDeliveries(send: Send): Promise<void> {
  await send('GET', '/service/deliveries?limit=5');
  await send('POST', '/service/deliveries/release', { all: true });
}

async function manageReceivers(send: Send): Promise<void> {
  const hook = await send('POST', '/service/webhooks', {
    url: 'http://127.0.0.1:9/',
    eventTypes: ['user.created'],
  });
  await send('POST', `/service/webhooks/${hook?.data.id}/rotate`, {});
  await send('DELETE', `/service/webhooks/${hook?.data.id}`);
}

function aUser(employeeID: string, more: object = {}): object {
  return {
    employeeID,
    name: `Name ${employeeID}`,
    email: `${employeeID}@example.com`,
    isActive: true,
    ...more,
  };
}

function anUpdate(employeeID: string, more: object = {}): object {
  return { employeeID, name: `Renamed ${employeeID}`, isActive: true, ...more };
}

type Send = (method: string, path: string, body?: unknown, token?: string) => Promise<Json>;

/** What doesn't succeed is noted together with the reply. A bulk call has to succeed with all items. */
function sender({ url, token: own }: Target, tally: Tally): Send {
  return async (method, path, body, token = own) => {
    tally.sent++;
    try {
      const reply = await fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      const json = text === '' ? undefined : JSON.parse(text);
      const hasFailed = reply.status >= 400 || json?.data?.failedItems?.length > 0;
      if (hasFailed) tally.failures.push(`${method} ${path}: ${reply.status} ${text}`);
      return hasFailed ? undefined : json;
    } catch (error) {
      tally.failures.push(`${method} ${path}: ${error} ${(error as Error).cause ?? ''}`);
    }
  };
}
