import { expect } from 'vitest';
import type { TestService } from './service.js';
import { newId, type Reply } from './service.js';
import { employeeIdExists, usernameExists } from './user-failures.js';

type Fields = Record<string, unknown> & { readonly employeeID: string };

/** A sender: a client ID, a token and the node it talks to. */
export interface SendingClient {
  readonly clientId: string;
  readonly token: string;
  readonly service: TestService;
}

export interface SentCreate {
  readonly fields: Fields;
  readonly client: SendingClient;
  readonly requestId: string;
  readonly reply: Reply;
}

/** Sends all creates at once, each with its own request ID, alternating between clients. */
export function sendAtOnce(
  clients: readonly SendingClient[],
  users: readonly Fields[],
): Promise<SentCreate[]> {
  return Promise.all(
    users.map(async (fields, index) => {
      const client = clients[index % clients.length] as SendingClient;
      const requestId = newId('request-');
      const { token, service } = client;
      const headers = { 'x-request-id': requestId };
      const reply = await service.post('/service/users', fields, { token, headers });
      return { fields, client, requestId, reply };
    }),
  );
}

const usernameKey = ({ username }: Fields) =>
  typeof username === 'string' ? username.toLowerCase() : undefined;

/** Each create got its own reply, and the stored data matches the replies. */
export async function expectEachAnswered(
  service: TestService,
  sent: readonly SentCreate[],
): Promise<SentCreate[]> {
  const created = sent.filter(({ reply }) => reply.status === 201);
  const byEmployeeId = new Map(created.map((each) => [each.fields.employeeID, each]));
  const byUsername = new Map(created.map((each) => [usernameKey(each.fields), each]));
  byUsername.delete(undefined);
  for (const { fields, requestId, reply } of sent) {
    expect(reply.headers.get('x-request-id')).toBe(requestId);
    if (reply.status === 201) continue;
    // A create rejected for its username may find its employee ID taken later; it was free at the time.
    const isForId = reply.json.errorCode === 10101;
    const holder = isForId ? byEmployeeId.get(fields.employeeID) : byUsername.get(usernameKey(fields));
    expect(holder, `somebody is in the way: ${reply.text}`).toBeDefined();
    const canRehire = isForId && holder?.fields.isActive === false;
    const advice =
      ', who is inactive. To reactivate them with this data, resend with rehire=true and isActive true.';
    const byHolder = `is already taken by another user with the serial ${serialOf(holder)}${canRehire ? advice : '.'}`;
    const taken = isForId
      ? employeeIdExists(`"${fields.employeeID}" ${byHolder}`)
      : usernameExists(`"${fields.username}" ${byHolder}`);
    expect([reply.status, reply.json]).toEqual([409, taken]);
  }
  await expectStored(service, sent, created);
  return created;
}

function serialOf(sent: SentCreate | undefined): string {
  return sent?.reply.json.data.serial;
}

const nothing = { username: null, email: null, phone: null, tagSerials: [], organizationSerial: null };

async function expectStored(
  service: TestService,
  sent: readonly SentCreate[],
  created: readonly SentCreate[],
): Promise<void> {
  const { pool } = service.database;
  const bySerial = created.toSorted((a, b) => (serialOf(a) < serialOf(b) ? -1 : 1));
  const { rows: users } = await pool.query(
    `SELECT serial, employee_id AS "employeeID", name, username, email, phone, is_active AS "isActive",
            tag_serials AS "tagSerials", organization_serial AS "organizationSerial", version
     FROM users WHERE employee_id = ANY ($1) ORDER BY serial`,
    [sent.map(({ fields }) => fields.employeeID)],
  );
  expect(users).toEqual(
    bySerial.map((each) => ({ ...nothing, ...each.fields, serial: serialOf(each), version: 1 })),
  );
  const requestIds = [sent.map(({ requestId }) => requestId)];
  const { rows: messages } = await pool.query(
    `SELECT user_serial AS serial, request_id AS "requestId", kind, state, priority, secret FROM deliveries
     WHERE request_id = ANY ($1) ORDER BY user_serial`,
    requestIds,
  );
  expect(messages).toEqual(
    bySerial.map((each) => ({
      serial: serialOf(each),
      requestId: each.requestId,
      kind: 'initial-password',
      state: each.fields.isActive ? 'waiting' : 'dormant',
      priority: 0,
      secret: null,
    })),
  );
  const { rows: changes } = await pool.query(
    `SELECT user_serial AS serial, request_id AS "requestId", kind, version, employee_id AS "employeeID", call_id AS call,
            actor_kind || ' ' || actor_id AS actor, fields FROM changes
     WHERE request_id = ANY ($1) ORDER BY user_serial`,
    requestIds,
  );
  expect(changes).toEqual(
    bySerial.map((each) => ({
      serial: serialOf(each),
      requestId: each.requestId,
      kind: 'created',
      version: 1,
      employeeID: each.fields.employeeID,
      call: null,
      actor: `client ${each.client.clientId}`,
      fields: Object.fromEntries(
        Object.entries(each.fields).flatMap(([field, after]) =>
          after === null || (Array.isArray(after) && after.length === 0)
            ? []
            : [[field, { before: null, after }]],
        ),
      ),
    })),
  );
}

/** Users with many duplicate names, different in everything else. */
export function usersWithDoubles(count: number): (Fields & { name: string })[] {
  const ids = Array.from({ length: Math.ceil(count / 2) }, () => newId());
  const names = Array.from({ length: Math.ceil(count / 4) }, () => newId('Name'));
  const inCase = [(name: string) => name, upperCase, lowerCase];
  return Array.from({ length: count }, (_, index) => ({
    // The factors don't divide the counts, so duplicates are far apart and rarely share both names.
    employeeID: index % 5 === 0 ? newId() : (ids[(index * 7) % ids.length] as string),
    name: `Person ${index}`,
    username:
      index % 3 === 0 ? null : (inCase[index % 4] ?? upperCase)(names[(index * 11) % names.length] as string),
    email: index % 4 === 1 ? null : `person${index}@example.com`,
    phone: index % 4 === 2 ? null : `+44 20 ${1000 + index}`,
    isActive: index % 2 === 0,
    tagSerials: Array.from({ length: index % 4 }, (_, at) => `T${index}"\\,${at}`),
    organizationSerial: index % 3 === 1 ? null : `Organization ${index}`,
  }));
}

const upperCase = (text: string) => text.toUpperCase();
const lowerCase = (text: string) => text.toLowerCase();
