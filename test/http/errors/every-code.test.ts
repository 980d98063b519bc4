import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import {
  type ErrorName,
  errorBody,
  errorCatalogue,
  errorNames,
  type Failure,
} from '../../../src/contract/errors.js';
import { attributeLimits, feedLimits, viewLimits } from '../../../src/contract/limits.js';
import { createdClient, revoke } from '../../support/api-clients.js';
import { itemFor } from '../../support/bulk-items.js';
import { givenClient } from '../../support/clients.js';
import { useCompany } from '../../support/company.js';
import { withoutData } from '../../support/error-data.js';
import { sendWithKey } from '../../support/idempotent-requests.js';
import { TestPasskey } from '../../support/passkeys.js';
import { deactivate, givenProvider } from '../../support/providers.js';
import { rawRequest, sendRaw } from '../../support/raw-http.js';
import { givenApplication } from '../../support/relying-party.js';
import { repair, whenStored } from '../../support/sabotage.js';
import { givenScimProvider } from '../../support/scim.js';
import {
  addApp,
  addPasskey,
  giveCode,
  givenUserWithApp,
  passkeyOptions,
  signInByPassword,
  signInWithPasskey,
} from '../../support/second-factors.js';
import { anItem, aUser, newId, useOwnService } from '../../support/service.js';
import { cookieOf, proveLongAgo } from '../../support/sessions.js';
import { givenNewcomer, givenSignedInUser } from '../../support/signed-in-users.js';

const anonymousMax = 50;

const service = useOwnService({
  ROLLCALL_BODY_MAX_BYTES: '2000',
  ROLLCALL_BULK_CHUNK_ITEMS: '1', // so that a call can be interrupted between two items
  ROLLCALL_BULK_ITEMS_MAX: '6',
  ROLLCALL_MATCHING_USERS_MAX: '1',
  ROLLCALL_ANONYMOUS_REQUESTS_PER_MINUTE_MAX: String(anonymousMax),
  ROLLCALL_SAFETY_LIMIT_PERCENT: '1',
  ROLLCALL_EVENT_STREAMS_MAX: '1',
  ROLLCALL_PLANNED_CALLS_MAX: '3',
  ROLLCALL_PLANNED_CALL_POLL_MS: '50',
  ROLLCALL_FEED_POLL_MS: '50',
  ROLLCALL_USER_EDITABLE_FIELDS: 'email',
});

/** Passkeys need a domain, and an address is none. */
const ofAddress = useOwnService({ ROLLCALL_PUBLIC_URL: 'http://192.0.2.1' });
const strict = useOwnService({ ROLLCALL_SECOND_FACTOR: 'everyone' });
const localSite = { rpId: 'localhost', origin: 'http://localhost:8080' };
const company = useCompany({ ROLLCALL_LOCAL_SIGN_IN: 'off' });

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  readonly json: any;
}

const post = (body: unknown) => service.post('/service/users?details=true', body);
const send = (rawBody: string) => service.request('POST', '/service/users?details=true', { rawBody });

async function patch(
  overrides: Record<string, unknown>,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const { serial } = await service.givenUser(overrides);
  return service.request('PATCH', `/service/users/${serial}`, { body, headers });
}

async function askForToken(form: Record<string, string>): Promise<Answer> {
  const { clientId, clientSecret } = await givenClient(service, ['users:read']);
  return service.request('POST', '/oauth/token', {
    token: null,
    rawBody: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...form,
    }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}

function createFeed(key: string, rules: object = {}) {
  const mapping = {
    columns: [
      { field: 'employeeID', columns: ['ID'] },
      { field: 'name', columns: ['Name'] },
    ],
  };
  const source = { type: 'folder', path: 'none.csv' };
  return service.post('/service/feeds', { key, name: 'Staff', source, mapping, rules });
}

async function givenFeed(rules: object = {}): Promise<string> {
  const { key } = (await createFeed(newId().toLowerCase(), rules)).json.data;
  return key;
}

/** The path of a run that waits for approval. */
async function givenWaitingRun(): Promise<string> {
  const key = await givenFeed({ approval: 'always' });
  const { employeeID } = await service.givenUser();
  const uploaded = await service.request('PUT', `/service/feeds/${key}/file`, {
    rawBody: `ID,Name\n${employeeID},Someone Else\n`,
    headers: { 'content-type': 'text/csv' },
  });
  const run = `/service/feeds/${key}/runs/${uploaded.json.data.id}`;
  await expect.poll(async () => (await service.get(run)).json.data.state).toBe('waiting');
  return run;
}

async function changePassword(overrides: Record<string, string>): Promise<Answer> {
  const { token, password } = await givenNewcomer(service);
  const body = { currentPassword: password, newPassword: 'correct horse battery staple', ...overrides };
  return service.post('/service/auth/change-password', body, { token });
}

/** A bulk call with a change, sent with a key and then put into the given state. */
async function callIn(state: string) {
  const key = newId('key');
  const user = await service.givenUser();
  const resend = () =>
    service.post(
      '/service/users/update-bulk?details=true',
      { items: [anItem(user, { name: 'Changed' })] },
      {
        headers: { 'idempotency-key': key },
      },
    );
  const id = (await resend()).headers.get('x-call-id');
  await service.database.pool.query(
    `UPDATE calls SET state = $2, claimed_until = CASE WHEN $2 = 'running' THEN now() + interval '1 hour' END WHERE id = $1`,
    [id, state],
  );
  const undo = () => service.request('POST', `/service/calls/${id}/undo`);
  return { id, user, resend, undo };
}

/** A call with a change that is yet to run. */
async function plannedCall(plan: string, headers: Record<string, string> = {}) {
  const user = await service.givenUser();
  const items = [anItem(user, { name: 'Planned' })];
  const reply = await service.post(`/service/users/update-bulk?details=true&${plan}`, { items }, { headers });
  return { user, reply, id: reply.headers.get('x-call-id') };
}

/** A user in an organization of their own. */
async function givenMember() {
  const organizationSerial = newId('ORG');
  await service.givenUser({ organizationSerial });
  return { organizationSerial };
}

const newKey = () => newId('a');
const createAttribute = (key: string, settings = {}) =>
  service.post('/service/attributes', { key, type: 'text', ...settings });

async function givenAttribute(settings = {}): Promise<string> {
  const key = newKey();
  await createAttribute(key, settings);
  return key;
}

/** What a program learns that returns from the provider of the company instead of a browser. */
async function signInWithCompany({
  employee,
  change,
  outage,
  forget,
  proofOfAnother,
}: {
  employee?: Record<string, unknown>;
  change?: (callback: URL) => void;
  outage?: number;
  forget?: boolean;
  proofOfAnother?: boolean;
}): Promise<Answer> {
  const { provider } = company;
  await company.employee(employee);
  if (forget) provider.accounts.clear();
  const visitor = company.browser();
  if (proofOfAnother) {
    await visitor.signIn();
    visitor.forget(provider.url);
    await company.employee();
  }
  const callback = await visitor.authorize(
    `/service/auth/sso/start${proofOfAnother ? '?purpose=proof' : ''}`,
  );
  change?.(callback);
  provider.outage = outage;
  const { status, text } = await visitor.open(callback.href, { accept: 'application/json' });
  provider.outage = undefined;
  return { status, json: JSON.parse(text) };
}

/** The error of an item as if it were a response of its own. */
function firstFailed(reply: Answer): Answer {
  const { error } = reply.json.data.failedItems[0];
  return { status: errorCatalogue[error.message as ErrorName].status, json: error };
}

/** SCIM clients get errors in another shape. The code is in the log of their requests. */
async function scimProblem(method: string, path: string, body?: object): Promise<Answer> {
  const provider = await givenScimProvider(service);
  const { status, json } = await provider.send(method, path, body);
  await service.context.scimRequests.flush();
  const { data } = (await service.get(`/service/clients/${provider.clientId}/scim/requests`)).json;
  const [{ error, scimType }] = data.items as [{ error: ErrorName; scimType: string | null }];
  const flat = { errorCode: errorCatalogue[error].code, message: error, detail: json.detail };
  return { status, json: scimType === null ? flat : { ...flat, data: { scimType } } };
}

/** How a caller triggers each error of the catalogue. */
const scenarios: Record<ErrorName, () => Promise<Answer>> = {
  USER_ATTRIBUTE_EXISTS: async () => {
    const key = await givenAttribute({ isUnique: true });
    await service.givenUser({ attributes: { [key]: 'A1' } });
    return service.post('/service/users?details=true', aUser({ attributes: { [key]: 'A1' } }));
  },
  USER_MANAGER_NOT_FOUND: () =>
    service.post('/service/users?details=true', aUser({ managerEmployeeID: newId() })),
  USER_MANAGER_CYCLE: async () => {
    const { serial, employeeID: managerEmployeeID } = await service.givenUser();
    return service.request('PATCH', `/service/users/${serial}`, { body: { managerEmployeeID } });
  },
  ATTRIBUTE_NOT_FOUND: () => service.get('/service/attributes/nope'),
  ATTRIBUTE_KEY_EXISTS: async () => createAttribute(await givenAttribute()),
  ATTRIBUTE_IN_USE: async () => {
    const key = await givenAttribute();
    await service.givenUser({ attributes: { [key]: 'A1' } });
    return service.request('DELETE', `/service/attributes/${key}`);
  },
  ATTRIBUTE_NOT_UNIQUE: async () => {
    const key = await givenAttribute();
    for (let user = 0; user < 2; user++) await service.givenUser({ attributes: { [key]: 'A1' } });
    return service.request('PATCH', `/service/attributes/${key}`, { body: { isUnique: true } });
  },
  ATTRIBUTE_TOO_MANY: async () => {
    // By copying one: defining them one after the other takes longer than all other scenarios.
    await service.database.pool.query(
      `INSERT INTO attributes (key, type, is_unique, is_searchable, is_filterable, is_sensitive, is_editable_by_user, details)
       SELECT 'filler' || n, type, false, false, false, false, false, details FROM attributes, generate_series(1, $2) AS n
       WHERE key = $1`,
      [await givenAttribute(), attributeLimits.attributesMax],
    );
    const reply = await createAttribute(newKey());
    await service.database.pool.query(`DELETE FROM attributes WHERE key LIKE 'filler%'`);
    return reply;
  },
  FEED_NOT_FOUND: () => service.get('/service/feeds/none'),
  FEED_KEY_EXISTS: async () => {
    const key = await givenFeed();
    return createFeed(key);
  },
  FEED_TOO_MANY: async () => {
    await service.database.pool.query(
      `INSERT INTO feeds (key, writes_sensitive, name, settings)
       SELECT 'filler' || n, writes_sensitive, name, settings FROM feeds, generate_series(1, $2) AS n WHERE key = $1`,
      [await givenFeed(), feedLimits.feedsMax],
    );
    const reply = await createFeed(newId().toLowerCase());
    await service.database.pool.query(`DELETE FROM feeds WHERE key LIKE 'filler%'`); // others need feeds, too
    return reply;
  },
  FEED_RUN_NOT_FOUND: async () => service.get(`/service/feeds/${await givenFeed()}/runs/${randomUUID()}`),
  FEED_RUN_STATE_CONFLICT: async () => {
    const run = await givenWaitingRun();
    await service.post(`${run}/cancel`, undefined);
    return service.post(`${run}/cancel`, undefined);
  },
  FEED_APPROVAL_BY_AUTHOR: async () => service.post(`${await givenWaitingRun()}/approve`, undefined),
  FEED_BUSY: async () => {
    const run = await givenWaitingRun();
    return service.post(run.replace(/\/[^/]*$/, ''), {});
  },
  FEED_FILE_GONE: async () => {
    const runs = `/service/feeds/${await givenFeed()}/runs`;
    const { id } = (await service.post(runs, {})).json.data;
    await expect.poll(async () => (await service.get(`${runs}/${id}`)).json.data.state).toBe('failed');
    return service.post(runs, { replay: id });
  },
  REQUEST_MALFORMED: () => sendRaw(service.url, 'hello\r\n\r\n'),
  REQUEST_BODY_NOT_JSON: () => send('{'),
  REQUEST_BODY_TOO_DEEP: () => send('['.repeat(100)),
  REQUEST_BODY_INVALID: () => service.post('/service/users/create-bulk', { users: [] }),
  REQUEST_PARAMETER_INVALID: () => service.get('/service/users?limit=0'),
  REQUEST_CURSOR_INVALID: () => service.get('/service/users?cursor=x'),
  REQUEST_PATH_NOT_FOUND: () => service.get('/nope'),
  REQUEST_METHOD_NOT_ALLOWED: () => service.request('DELETE', '/service/users'),
  REQUEST_NOT_ACCEPTABLE: () => service.get('/service/users', { headers: { accept: 'text/html' } }),
  REQUEST_TIMEOUT: async () => {
    // As Node does when the time is up, which test/http/requests waits for.
    const late = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    const { server } = service.app;
    server.once('connection', (socket: Socket) => server.emit('clientError', late, socket));
    return sendRaw(service.url, 'GET / HTTP/1.1\r\n');
  },
  REQUEST_PRECONDITION_FAILED: () => patch({}, { name: 'X' }, { 'if-match': '"0"' }),
  REQUEST_BODY_TOO_LARGE: () => send(`"${'x'.repeat(2_000)}"`),
  REQUEST_TOO_MANY_ITEMS: () => service.createBulk([1, 2, 3, 4, 5, 6, 7]),
  REQUEST_MEDIA_TYPE_UNSUPPORTED: () =>
    service.post('/service/users', aUser(), { headers: { 'content-type': 'text/plain' } }),
  REQUEST_RATE_LIMITED: async () => {
    for (;;) {
      const reply = await service.app.inject({ url: '/nope', remoteAddress: '192.0.2.1' });
      if (reply.statusCode !== 404) return { status: reply.statusCode, json: reply.json() };
    }
  },
  REQUEST_HEADERS_TOO_LARGE: () =>
    sendRaw(service.url, rawRequest('GET', '/healthz', { 'x-large': 'x'.repeat(20_000) })),

  USER_EMPLOYEE_ID_EXISTS: async () => post(aUser({ employeeID: (await service.givenUser()).employeeID })),
  USER_NOT_FOUND: () => service.get('/service/users/nobody'),
  USER_USERNAME_EXISTS: async () =>
    post(aUser({ username: (await service.givenUser({ username: newId('u') })).username })),
  USER_CONTACT_REQUIRED: () => post(aUser({ email: null })),
  USER_NOT_AN_OBJECT: () => post([]),
  USER_FIELD_REQUIRED: () => post(aUser({ name: ' ' })),
  USER_FIELD_INVALID: () => post(aUser({ isActive: 'true' })),
  USER_FIELD_NOT_ACCEPTED: () => patch({}, { colour: 'red' }),

  USER_LAST_ADMINISTRATOR: async () => {
    const { rows } = await service.database.pool.query(
      `SELECT serial FROM users WHERE employee_id = 'admin'`,
    );
    return service.request('PUT', `/service/users/${rows[0].serial}/role`, { body: { role: null } });
  },

  USER_PROTECTED: async () => {
    const { serial } = await service.givenUser();
    await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'viewer' } });
    const token = await service.tokenFor('users:write');
    return service.request('PATCH', `/service/users/${serial}`, {
      body: { email: 'eve@example.com' },
      token,
    });
  },

  USER_ERASED: async () => {
    const { serial } = await service.givenUser();
    await service.request('DELETE', `/service/users/${serial}`);
    return service.get(`/service/users/${serial}`);
  },
  USER_CHANGED_SINCE: async () => {
    const { user, undo } = await callIn('completed');
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'Again' } });
    return firstFailed(await undo());
  },

  CALL_NOT_FOUND: () => service.get('/service/calls/nothing'),
  CALL_RUNNING: async () => (await callIn('running')).undo(),
  CALL_TOO_OLD: async () => {
    const { id, undo } = await callIn('completed');
    await service.database.pool.query('DELETE FROM changes WHERE call_id = $1', [id]);
    return undo();
  },
  CALL_EXCEEDS_SAFETY_LIMIT: async () => {
    const user = await service.givenUser();
    const items = [anItem(user, { newEmployeeID: newId('New') })];
    return service.post('/service/users/update-bulk?details=true', { items });
  },
  CALL_CONFIRMATION_REQUIRED: async () => {
    const { organizationSerial } = await givenMember();
    return service.post('/service/users/update-matching', {
      filter: { organizationSerial },
      patch: { isActive: false },
    });
  },
  CALL_ITEM_OUTDATED: async () => {
    const { id, user } = await plannedCall('effectiveAt=2100-01-01');
    await service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'Meanwhile' } });
    await service.database.pool.query('UPDATE planned_calls SET due_at = now() WHERE call_id = $1', [id]);
    await expect.poll(async () => (await service.get(`/service/calls/${id}`)).json.data.state).toBe('done');
    const { error } = (await service.get(`/service/calls/${id}/items`)).json.data.items[0];
    return { status: errorCatalogue[error.message as ErrorName].status, json: error };
  },
  CALL_STATE_CONFLICT: async () => {
    const { id } = await callIn('completed');
    return service.request('POST', `/service/calls/${id}/cancel`);
  },
  CALL_APPROVAL_BY_AUTHOR: async () => {
    const { id } = await plannedCall('approval=required');
    return service.request('POST', `/service/calls/${id}/approve`);
  },
  CALL_TOO_MANY_PLANNED: async () => {
    for (;;) {
      const { reply } = await plannedCall('effectiveAt=2100-01-01', { 'idempotency-key': newId('key') });
      if (reply.status === 202) continue;
      const { rows } = await service.database.pool.query(
        'SELECT FROM idempotency_keys WHERE call_id NOT IN (SELECT id FROM calls)',
      );
      expect(rows).toEqual([]); // the key can be used again
      return reply;
    }
  },
  CALL_MATCHES_TOO_MANY: () =>
    service.post('/service/users/update-matching', {
      filter: { createdSince: '2000-01-01T00:00:00Z' },
      patch: { addTagSerials: ['T1'] },
    }),
  CALL_NOT_UNDOABLE: async () => {
    const { serial } = await service.givenUser();
    const erased = await service.post('/service/users/erase-bulk?confirm=1', { items: [{ serial }] });
    return service.post(`/service/calls/${erased.headers.get('x-call-id')}/undo`, {});
  },
  CALL_UNDONE: async () => {
    const { undo, resend } = await callIn('interrupted');
    await undo();
    return resend();
  },
  IDEMPOTENCY_KEY_INVALID: () =>
    service.post('/service/users', aUser(), { headers: { 'idempotency-key': 'k'.repeat(300) } }),
  IDEMPOTENCY_KEY_REUSED: async () => {
    const headers = { 'idempotency-key': newId('key') };
    await service.post('/service/users', aUser(), { headers });
    return service.post('/service/users', aUser(), { headers });
  },
  IDEMPOTENCY_KEY_IN_USE: async () => (await callIn('running')).resend(),
  VIEW_NOT_FOUND: async () => {
    const { token } = await givenSignedInUser(service, 'viewer');
    return service.request('DELETE', '/service/views/nothing', { token });
  },
  VIEW_OF_SOMEBODY_ELSE: async () => {
    const [author, other] = [
      await givenSignedInUser(service, 'viewer'),
      await givenSignedInUser(service, 'viewer'),
    ];
    const view = { name: newId('View'), query: 'isActive=true', isShared: true };
    const { id } = (await service.post('/service/views', view, { token: author.token })).json.data;
    return service.request('DELETE', `/service/views/${id}`, { token: other.token });
  },
  VIEW_NAME_TAKEN: async () => {
    const { token } = await givenSignedInUser(service, 'viewer');
    const save = (name: string) =>
      service.post('/service/views', { name, query: 'isActive=true' }, { token });
    await save('Active');
    return save('ACTIVE');
  },
  VIEW_TOO_MANY: async () => {
    const { token, serial } = await givenSignedInUser(service, 'viewer');
    await service.database.pool.query(
      `INSERT INTO views (id, owner_serial, author_serial, name, query)
       SELECT gen_random_uuid(), $1, $1, 'View ' || n, 'isActive=true' FROM generate_series(1, $2) AS n`,
      [serial, viewLimits.ownMax],
    );
    return service.post('/service/views', { name: 'One more', query: 'isActive=true' }, { token });
  },
  WEBHOOK_NOT_FOUND: () => service.get('/service/webhooks/nothing'),
  WEBHOOK_URL_REFUSED: () => service.post('/service/webhooks', { url: 'https://127.0.0.1/' }),
  APPLICATION_NOT_FOUND: () => service.get('/service/applications/nothing'),
  APPLICATION_NAME_EXISTS: async () => {
    const { name } = await givenApplication(service);
    return service.post('/service/applications', { name, redirectUris: ['https://wiki.example.com/'] });
  },
  APPLICATION_WITHOUT_SECRET: async () => {
    const { id } = await givenApplication(service, { isPublic: true });
    return service.post(`/service/applications/${id}/rotate`, {});
  },
  APPLICATION_SIGN_IN_NOT_FOUND: () => service.get('/service/auth/applications/nothing', { token: null }),
  SCIM_TARGET_NOT_FOUND: () => service.get('/service/scim/targets/nothing'),
  SCIM_TARGET_URL_REFUSED: () =>
    service.post('/service/scim/targets', { name: 'Wiki', url: 'https://127.0.0.1/', token: 'token' }),
  EVENTS_PRUNED: async () => {
    await service.database.pool.query('UPDATE change_log SET pruned_to = 1');
    return service.get('/service/events', { headers: { 'last-event-id': '0' } });
  },
  EVENTS_BUSY: async () => {
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${await service.tokenFor('audit:read')}` };
    await fetch(`${service.url}/service/events`, { headers, signal: leaving.signal });
    const reply = await service.get('/service/events');
    leaving.abort();
    return reply;
  },
  BACKUP_BUSY: async () => {
    service.context.backups.running++;
    const reply = await service.get('/service/backup');
    service.context.backups.running--;
    return reply;
  },

  ACCESS_TOKEN_REQUIRED: () => service.get('/service/users', { token: null }),
  ACCESS_TOKEN_INVALID: () => service.get('/service/users', { token: 'x' }),
  ACCESS_SCOPE_MISSING: async () =>
    service.get('/service/users', { token: await service.tokenFor('users:write') }),
  ACCESS_CLIENT_INVALID: () => askForToken({ client_secret: 'wrong' }),
  ACCESS_GRANT_UNSUPPORTED: () => askForToken({ grant_type: 'password' }),
  ACCESS_SCOPE_INVALID: () => askForToken({ scope: 'users:write' }),
  ACCESS_TOKEN_REQUEST_INVALID: () =>
    service.request('POST', '/oauth/token', { token: null, headers: { accept: '*/*' } }),

  ACCESS_SIGN_IN_FAILED: () => service.signIn(newId('nobody'), 'wrong'),
  ACCESS_SIGN_IN_DELAYED: async () => {
    const username = newId('nobody');
    for (let count = 0; count < 5; count++) await service.signIn(username, 'wrong');
    return service.signIn(username, 'wrong');
  },
  ACCESS_PASSWORD_EXPIRED: async () => {
    const { username, password, serial } = await givenNewcomer(service);
    await service.database.pool.query('UPDATE credentials SET expires_at = now() WHERE user_serial = $1', [
      serial,
    ]);
    return service.signIn(username, password);
  },
  ACCESS_PASSWORD_CHANGE_REQUIRED: async () =>
    service.get('/service/me/sessions', { token: (await givenNewcomer(service)).token }),
  ACCESS_PASSWORD_REFUSED: () => changePassword({ newPassword: 'password1' }),
  ACCESS_PASSWORD_WRONG: () => changePassword({ currentPassword: 'wrong' }),
  ACCESS_USER_REQUIRED: () => service.request('POST', '/service/auth/sign-out'),
  ACCESS_CLIENT_NOT_FOUND: () => service.get('/service/clients/nobody'),
  ACCESS_CLIENT_TOKEN_NOT_FOUND: async () =>
    service.request('DELETE', `${(await givenProvider(service)).path}/tokens/${randomUUID()}`),
  ACCESS_CLIENT_TOKEN_TOO_MANY: async () => {
    const provider = await givenProvider(service);
    for (;;) {
      const reply = await service.post(`${provider.path}/tokens`, { name: 'Okta' });
      if (reply.status !== 201) return reply;
    }
  },
  ACCESS_CLIENT_NOT_A_PROVIDER: async () =>
    service.post(`${(await createdClient(service)).path}/tokens`, { name: 'Okta' }),
  ACCESS_SESSION_NOT_FOUND: () => service.request('DELETE', `/service/sessions/${randomUUID()}`),
  ACCESS_PROOF_REQUIRED: async () => {
    const { token } = await givenSignedInUser(service, 'administrator');
    await proveLongAgo(service, token);
    return service.request('DELETE', '/service/sessions?everybody=true', { token });
  },
  ACCESS_FACTOR_REQUIRED: async () => {
    const user = await givenUserWithApp(service);
    return service.get('/service/me/profile', { token: await signInByPassword(service, user) });
  },
  ACCESS_FACTOR_CODE_WRONG: async () => {
    const user = await givenUserWithApp(service);
    return giveCode(service, await signInByPassword(service, user), user.app.wrongCode());
  },
  ACCESS_PASSKEY_REFUSED: async () =>
    signInWithPasskey(service, new TestPasskey(localSite).get(await passkeyOptions(service))),
  ACCESS_PASSKEYS_UNAVAILABLE: () =>
    ofAddress.post('/service/auth/passkey/options', undefined, { token: null }),
  ACCESS_PASSKEY_EXISTS: async () => {
    const user = await givenSignedInUser(service);
    const { token, passkey } = await addPasskey(service, user.token, new TestPasskey(localSite));
    return (await addPasskey(service, token, passkey)).reply;
  },
  ACCESS_FACTOR_NOT_FOUND: async () => {
    const { token } = await givenSignedInUser(service);
    return service.request('DELETE', `/service/me/factors/${randomUUID()}`, { token });
  },
  ACCESS_FACTOR_TOO_MANY: async () => {
    let { token } = await givenSignedInUser(service);
    for (let count = 0; count < 10; count++)
      token = (await addPasskey(service, token, new TestPasskey(localSite))).token;
    return service.post('/service/me/factors/totp', {}, { token });
  },
  ACCESS_FACTOR_LAST: async () => {
    const user = await givenSignedInUser(strict);
    const { token, factorId } = await addApp(strict, user.token);
    return strict.request('DELETE', `/service/me/factors/${factorId}`, { token });
  },
  ACCESS_SSO_NOT_CONFIGURED: () => service.get('/service/auth/sso/start', { token: null }),
  ACCESS_SSO_UNAVAILABLE: () => signInWithCompany({ outage: 503 }),
  ACCESS_SSO_FAILED: () => company.service.get('/service/auth/sso/callback', { token: null }),
  ACCESS_SSO_CANCELLED: () =>
    signInWithCompany({ change: ({ searchParams }) => searchParams.set('error', 'access_denied') }),
  ACCESS_SSO_USER_UNKNOWN: () => signInWithCompany({ forget: true }),
  ACCESS_SSO_USER_INACTIVE: () => signInWithCompany({ employee: { isActive: false } }),
  ACCESS_SSO_USER_DIFFERENT: () => signInWithCompany({ proofOfAnother: true }),
  ACCESS_LOCAL_SIGN_IN_OFF: () => company.service.signIn('nobody', 'a password'),
  ACCESS_PASSWORD_LINK_INVALID: () =>
    service.post('/service/auth/reset-password-with-link', { token: 'rcl_', newPassword: 'orange bicycles' }),
  ACCESS_LOGOUT_TOKEN_INVALID: () =>
    company.service.post('/service/auth/sso/backchannel-logout', { logout_token: 'none' }, { token: null }),
  ACCESS_FIELD_NOT_EDITABLE: async () => {
    const { token } = await givenSignedInUser(service);
    return service.request('PATCH', '/service/me/profile', { body: { name: 'Ada' }, token });
  },
  ACCESS_CODE_WRONG: async () => {
    const { token } = await givenSignedInUser(service);
    return service.post('/service/me/profile/confirm', { field: 'email', code: '12345678' }, { token });
  },
  ACCESS_CODES_EXHAUSTED: async () => {
    const { token } = await givenSignedInUser(service);
    for (;;) {
      const body = { email: `${newId()}@example.org` };
      const reply = await service.request('PATCH', '/service/me/profile', { body, token });
      if (reply.status !== 200) return reply;
    }
  },
  ACCESS_ORIGIN_REFUSED: async () => {
    const { token } = await givenSignedInUser(service);
    return service.request('POST', '/service/auth/sign-out', {
      token: null,
      headers: cookieOf(service, token),
    });
  },
  SCIM_REQUEST_INVALID: () => scimProblem('POST', '/Users', { userName: '' }),
  SCIM_RESOURCE_NOT_FOUND: () => scimProblem('GET', '/Users/nobody'),
  SCIM_FILTER_FORBIDDEN: () => scimProblem('GET', '/Schemas?filter=id%20pr'),
  SCIM_REFERENCE_UNRESOLVED: () => scimItemProblem({}),
  SCIM_OPERATION_SKIPPED: () => scimItemProblem({ failOnErrors: 1 }),
  SCIM_DEACTIVATION_LIMIT: async () => {
    const { clientId } = await givenProvider(service);
    const problem = (await deactivate(service, clientId, 11)) as Failure;
    return { status: errorCatalogue[problem.error].status, json: errorBody(problem, true) };
  },
  ACCESS_TOKEN_OF_ANOTHER_CLIENT: async () => revoke(service, await createdClient(service), service.token),
  ACCESS_TOKEN_TYPE_UNSUPPORTED: async () =>
    revoke(service, await createdClient(service), (await givenSignedInUser(service)).token),
  ACCESS_DELIVERY_NOT_FOUND: () => service.request('POST', '/service/deliveries/nothing/resend'),
  ACCESS_DELIVERY_SUPERSEDED: async () => {
    const { serial } = await givenSignedInUser(service);
    const { json } = await service.get(`/service/deliveries?userSerial=${serial}`);
    const { id } = json.data.items.find(({ kind }: { kind: string }) => kind === 'initial-password');
    return service.request('POST', `/service/deliveries/${id}/resend`);
  },

  DIRECTORY_ENTRY_NOT_FOUND: () => service.get('/service/organizations/nowhere'),
  DIRECTORY_ENTRY_EXISTS: async () => {
    const { organizationSerial: serial } = await givenMember();
    const { organizationSerial: newSerial } = await givenMember();
    return service.post('/service/organizations/rename', { serial, newSerial });
  },
  DIRECTORY_ENTRY_IN_USE: async () => {
    const { organizationSerial } = await givenMember();
    return service.request('DELETE', `/service/organizations/${organizationSerial}`);
  },
  SERVICE_UNAVAILABLE: async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, `RAISE EXCEPTION 'a shutdown' USING ERRCODE = '57P01'`);
    return service.request('PATCH', `/service/users/${user.serial}`, { body: { name: 'X' } });
  },
  SERVICE_OUTCOME_UNKNOWN: async () => {
    const user = aUser();
    await whenStored(service, user.employeeID, 'PERFORM pg_terminate_backend(pg_backend_pid())');
    return post(user);
  },
  SERVICE_INTERNAL_ERROR: async () => {
    const user = aUser();
    await whenStored(service, user.employeeID, `RAISE EXCEPTION 'a fault'`);
    return post(user);
  },
};

/** The data of each error that has any, as triggered by its scenario. */
const dataOf: { [Name in ErrorName]?: unknown } = {
  REQUEST_BODY_TOO_DEEP: { limit: 32 },
  REQUEST_BODY_INVALID: { field: 'users' },
  REQUEST_PARAMETER_INVALID: { parameter: 'limit' },
  REQUEST_METHOD_NOT_ALLOWED: { allowed: ['GET', 'HEAD', 'POST'] },
  REQUEST_BODY_TOO_LARGE: { limit: 2_000 },
  REQUEST_TOO_MANY_ITEMS: { limit: 6, count: 7 },
  REQUEST_RATE_LIMITED: { limit: anonymousMax, retryAfterSeconds: expect.any(Number) },
  ACCESS_PROOF_REQUIRED: { maxAgeSeconds: 600 },
  ACCESS_FIELD_NOT_EDITABLE: { field: 'name' },
  ACCESS_FACTOR_REQUIRED: { secondFactor: 'required' },
  ACCESS_FACTOR_TOO_MANY: { limit: 10 },
  VIEW_NAME_TAKEN: { id: expect.any(String) },
  VIEW_TOO_MANY: { limit: 100 },
  ACCESS_CODE_WRONG: { attemptsLeft: 0 },
  ACCESS_CODES_EXHAUSTED: { retryAfterSeconds: expect.any(Number) },
  USER_EMPLOYEE_ID_EXISTS: { takenBy: takenBy('employeeID') },
  USER_NOT_FOUND: undefined, // a lookup by serial has no data
  USER_USERNAME_EXISTS: { takenBy: takenBy('username') },
  USER_ATTRIBUTE_EXISTS: { attribute: expect.any(String), position: null, serial: expect.any(String) },
  USER_MANAGER_NOT_FOUND: { managerEmployeeID: expect.any(String) },
  USER_MANAGER_CYCLE: { chain: [expect.any(String), expect.any(String)] },
  ATTRIBUTE_KEY_EXISTS: { key: expect.any(String) },
  ATTRIBUTE_IN_USE: { count: 1 },
  ATTRIBUTE_NOT_UNIQUE: { values: 1 },
  ATTRIBUTE_TOO_MANY: { limit: 200 },
  FEED_TOO_MANY: { limit: 100 },
  FEED_RUN_STATE_CONFLICT: { state: 'cancelled' },
  FEED_BUSY: { runId: expect.any(String) },
  USER_FIELD_REQUIRED: { field: 'name', problem: expect.stringMatching(/^is required\. It must be /) },
  USER_FIELD_INVALID: { field: 'isActive', problem: 'must be a boolean, true or false.' },
  USER_FIELD_NOT_ACCEPTED: { field: 'colour', problem: expect.stringMatching(/^is not a field of this/) },
  USER_CHANGED_SINCE: { fields: ['name'] },
  USER_PROTECTED: { fields: ['email'], scope: 'access:admin' },
  USER_ERASED: { erasedAt: expect.any(String) },
  ACCESS_SCOPE_MISSING: { scope: 'users:read' },
  ACCESS_CLIENT_TOKEN_TOO_MANY: { limit: 20 },
  ACCESS_CLIENT_NOT_A_PROVIDER: { scope: 'scim' },
  SCIM_REQUEST_INVALID: { scimType: 'invalidValue' },
  SCIM_DEACTIVATION_LIMIT: { requested: 11, deactivated: 0, limit: 10, activeUsers: expect.any(Number) },
  ACCESS_PASSWORD_REFUSED: { rule: 'common' },
  ACCESS_SCOPE_INVALID: { allowed: ['users:read'] },
  ACCESS_SIGN_IN_DELAYED: { retryAfterSeconds: expect.any(Number) },
  ACCESS_SSO_UNAVAILABLE: { retryAfterSeconds: 10 },
  CALL_TOO_OLD: { changes: 1, kept: 0 },
  CALL_CONFIRMATION_REQUIRED: { confirm: 1 },
  CALL_MATCHES_TOO_MANY: { limit: 1 },
  CALL_STATE_CONFLICT: { state: 'done' },
  CALL_TOO_MANY_PLANNED: { limit: 3 },
  CALL_EXCEEDS_SAFETY_LIMIT: {
    confirm: 1,
    removed: 0,
    deactivated: 0,
    renamed: 1,
    cleared: 0,
    total: expect.any(Number),
    limitPercent: 1,
  },
  IDEMPOTENCY_KEY_IN_USE: { retryAfterSeconds: 2 },
  EVENTS_PRUNED: { prunedTo: 1 },
  EVENTS_BUSY: { limit: 1, retryAfterSeconds: 2 },
  BACKUP_BUSY: { retryAfterSeconds: 2 },
  SERVICE_UNAVAILABLE: { retryAfterSeconds: 2 },
  SERVICE_OUTCOME_UNKNOWN: { retryAfterSeconds: 2 },
};

function takenBy(field: string) {
  return { field, value: expect.any(String), position: null, serial: expect.any(String) };
}

describe('every error of the catalogue', () => {
  test('has a scenario here', () => {
    expect(Object.keys(scenarios).sort()).toEqual([...errorNames].sort());
  });

  test('has a unique code, name and meaning', () => {
    expect(new Set(errorNames.map((name) => errorCatalogue[name].code)).size).toBe(errorNames.length);
    expect(new Set(errorNames.map((name) => errorCatalogue[name].meaning)).size).toBe(errorNames.length);
  });

  test('has its data listed here if it declares any', () => {
    const declared = errorNames.filter((name) => 'data' in errorCatalogue[name]);
    expect(Object.keys(dataOf).sort()).toEqual([...declared].sort());
  });

  for (const name of errorNames) {
    const { code, status } = errorCatalogue[name];
    test(`can be triggered: ${code} ${name}, ${status}`, async () => {
      const reply = await scenarios[name]();
      const { errorCode, message, detail } = reply.json;
      expect({ errorCode, message, status: reply.status }).toEqual({
        errorCode: code,
        message: name,
        status,
      });
      withoutData(reply.json); // checks the data against the catalogue
      expect(reply.json.data).toEqual(dataOf[name]);
      expect(detail).toMatch(/^.{10,}\.$/su);
      expect(detail).not.toMatch(/SELECT|INSERT|UPDATE|node_modules|\.ts\b|\bat \S+ \(|relation|constraint/);
    });
  }
});

describe('the same error has the same code', () => {
  /** Fields that cause the error in a create and in a patch. */
  const faults: [ErrorName, () => Promise<Record<string, unknown>>][] = [
    ['USER_CONTACT_REQUIRED', async () => ({ email: null })],
    ['USER_FIELD_REQUIRED', async () => ({ name: null })],
    ['USER_FIELD_INVALID', async () => ({ isActive: 1 })],
    ['USER_FIELD_NOT_ACCEPTED', async () => ({ colour: 'red' })],
    ['USER_EMPLOYEE_ID_EXISTS', async () => ({ employeeID: (await service.givenUser()).employeeID })],
    [
      'USER_USERNAME_EXISTS',
      async () => ({ username: (await service.givenUser({ username: newId('u') })).username }),
    ],
  ];

  test('in a create, a bulk create and a patch', async () => {
    const given = await Promise.all(faults.map(async ([name, fault]) => ({ name, fields: await fault() })));
    for (const { name, fields } of given) {
      const { code, status } = errorCatalogue[name];
      const isIgnored = name === 'USER_FIELD_NOT_ACCEPTED'; // by a create, which gateways may add to
      for (const reply of [...(isIgnored ? [] : [await post(aUser(fields))]), await patch({}, fields)]) {
        expect(reply.json).toMatchObject({ errorCode: code, message: name });
        expect(reply.status).toBe(status);
      }
    }
    const bulk = await service.createBulk(given.map(({ fields }) => aUser(fields)));
    expect(bulk.status).toBe(200);
    expect(bulk.json.data.failedItems.map(({ error }: { error: object }) => error)).toMatchObject(
      given.map(({ name }) => ({ errorCode: errorCatalogue[name].code, message: name })),
    );
  });

  test('in items of a bulk update whose call succeeds', async () => {
    const user = await service.givenUser();
    const [employeeID, username] = [newId(), newId('u')];
    await service.givenUser({ employeeID, username });
    const expected: [ErrorName, Record<string, unknown>][] = [
      ['USER_FIELD_REQUIRED', { name: '' }],
      ['USER_FIELD_INVALID', { phone: 7 }],
      ['USER_FIELD_NOT_ACCEPTED', { email: 'ada@example.com' }],
      ['USER_NOT_FOUND', { employeeID: newId('Nobody') }],
      ['USER_EMPLOYEE_ID_EXISTS', { newEmployeeID: employeeID }],
      ['USER_USERNAME_EXISTS', { username }],
    ];
    const reply = await service.updateBulk(expected.map(([, fields]) => anItem(user, fields)));
    expect(reply.status).toBe(200);
    expect(reply.json.data.failedItems.map(({ error }: { error: object }) => error)).toEqual(
      expected.map(([name], position) => ({
        errorCode: errorCatalogue[name].code,
        message: name,
        detail: expect.stringContaining(`items[${position}]: `),
      })),
    );
  });
});

describe('the operations of the contract', () => {
  const contractKeys = ['errorCode', 'message', 'detail'];

  /** Requests to the two operations that fail with data. */
  const failing: [string, (query: string) => Promise<Answer>][] = [
    [
      'a create with a taken ID',
      async (query) => {
        const { employeeID } = await service.givenUser();
        return service.post(`/service/users${query}`, aUser({ employeeID }));
      },
    ],
    [
      'a create without the scope',
      async (query) =>
        service.post(`/service/users${query}`, aUser(), { token: await service.tokenFor('users:read') }),
    ],
    [
      'a create with a body that is too large',
      (query) => service.request('POST', `/service/users${query}`, { rawBody: `"${'x'.repeat(2_000)}"` }),
    ],
    [
      'an update with an invalid body',
      (query) => service.post(`/service/users/update-bulk${query}`, { users: [] }),
    ],
  ];

  test.each(failing)('fail with only the contract fields, and with data on request: %s', async (_, send) => {
    expect(Object.keys((await send('')).json)).toEqual(contractKeys);
    expect(Object.keys((await send('?details=false')).json)).toEqual(contractKeys);
    const { json } = await send('?details=true');
    expect(Object.keys(json)).toEqual([...contractKeys, 'data']);
    withoutData(json);
  });

  test('report items with only the contract fields, and with positions and data on request', async () => {
    const user = await service.givenUser();
    const items = [{ employeeID: newId('Nobody'), name: 'X', isActive: true }, anItem(user, { name: 'Y' })];
    const report = async (query: string) =>
      (await service.post(`/service/users/update-bulk${query}`, { items })).json.data;
    const plain = await report('');
    expect(plain.successItems.map(Object.keys)).toEqual([['payload', 'response']]);
    expect(plain.failedItems.map(Object.keys)).toEqual([['payload', 'error']]);
    expect(Object.keys(plain.failedItems[0].error)).toEqual(contractKeys);
    const detailed = await report('?details=true');
    expect(detailed.successItems).toEqual([
      { payload: items[1], position: 1, response: { serial: user.serial } },
    ]);
    const reason = `No user has the employee ID "${items[0]?.employeeID}".`;
    expect(detailed.failedItems).toEqual([
      {
        payload: items[0],
        position: 0,
        error: {
          ...plain.failedItems[0].error,
          reason,
          data: { employeeID: items[0]?.employeeID },
        },
      },
    ]);
    expect(plain.failedItems[0].error.detail).toBe(`items[0]: n${reason.slice(1)}`);
  });

  test.each(['/service/users', '/service/users/update-bulk'])(
    '%s rejects any other value of details',
    async (path) => {
      for (const query of ['details=yes', 'details=', 'details=true&details=true']) {
        const { status, json } = await service.post(`${path}?${query}`, aUser());
        expect([status, json.message, Object.keys(json)]).toEqual([
          400,
          'REQUEST_PARAMETER_INVALID',
          contractKeys,
        ]);
      }
    },
  );
});

test('items of an interrupted call and of its resumption have the data of their errors', async () => {
  const [user, other] = [await service.givenUser(), await service.givenUser()];
  const faulty = other.employeeID;
  const items = [
    itemFor(user.employeeID, { name: 'Done' }),
    7,
    itemFor(faulty, { name: 'Later' }),
    { name: 1 },
  ];
  const key = newId('key');
  const updates = '/service/users/update-bulk?details=true';
  type Entry = { position: number; error: { data: unknown } };
  const dataOf = ({ json }: Answer) =>
    json.data.failedItems.map(({ position, error }: Entry) => [position, error.data]);
  await whenStored(service, faulty, `RAISE EXCEPTION 'a fault' USING ERRCODE = '57P01'`);
  const broken = await sendWithKey(service, updates, { items }, key);
  expect(broken.json.data.successItems.map(({ position }: Entry) => position)).toEqual([0]);
  expect(dataOf(broken)).toEqual([
    [1, undefined],
    [2, { retryAfterSeconds: 2 }],
    [3, { field: 'employeeID', problem: expect.any(String) }],
  ]);
  await repair(service, faulty);
  const resumed = await sendWithKey(service, updates, { items }, key);
  expect(resumed.json.data.successItems.map(({ position }: Entry) => position)).toEqual([0, 2]);
  expect(resumed.json.data.failedItems.map(({ position }: Entry) => position)).toEqual([1, 3]);
});

/** Of the second operation of a bulk request, which refers to the first one. */
async function scimItemProblem(others: object) {
  const client = await givenScimProvider(service, { kind: 'other', employeeId: 'reject' });
  const operation = { method: 'POST', path: '/Users', bulkId: 'a', data: {} };
  await client.bulk([operation, { method: 'DELETE', path: '/Users/bulkId:a' }], others);
  const calls = (await service.get(`/service/calls?actorId=${client.clientId}`)).json.data.items;
  const items = (await service.get(`/service/calls/${calls[0].id}/items`)).json.data.items;
  const { error } = items[1];
  return { status: errorCatalogue[error.message as ErrorName].status, json: error };
}
