import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/postgres-server.js';
import { expectReply } from './http-client.js';
import type { Peer, Place, User } from './peer.js';
import { type Program, runProgram, untilAnswered } from './program.js';

const version = '1.3.5';
const token = 'only-for-the-bench';

interface BulkReply {
  readonly Operations: readonly {
    readonly status: string;
    readonly location?: string;
    readonly response?: { readonly detail?: string };
  }[];
}

export const scimmy: Peer = {
  name: 'SCIMMY',
  version,
  packages: { scimmy: version, 'scimmy-routers': '1.3.2', express: '5.3.0', pg: '8.23.1' },
  calls: { create: 'POST /scim/Users', update: 'POST /scim/Bulk with a PUT for each user' },
  remarks: [
    'SCIM 2.0 for Express, with scimmy-routers 1.3.2 and express 5.3.0. It has no storage; our handlers use pg, with one statement per operation (bench/peers/scimmy-server.mjs).',
    'The employee ID is the userName. A PUT takes one statement; a PATCH would read the user first. It runs the operations of a call one after the other, each in its own commit, and keeps no record of changes.',
  ],
  start: async (place) => {
    const { database, client } = place;
    const { url, program } = await startScimmy(place);
    const http = client(url, { authorization: `Bearer ${token}` });

    const ids = new Map<string, string>();
    return {
      createOne: async (user) => {
        expectReply(await http.send('POST', '/scim/Users', record(user)), 201);
      },
      createMany: async (users) => {
        const reply = await http.send(
          'POST',
          '/scim/Bulk',
          bulk(
            users.map((user) => ({
              method: 'POST',
              path: '/Users',
              bulkId: user.employeeID,
              data: record(user),
            })),
          ),
        );
        expectReply(reply, 200);
        const { rows } = await database.query<{ id: string; user_name: string }>(
          'SELECT id, user_name FROM users WHERE user_name = ANY ($1)',
          [users.map((user) => user.employeeID)],
        );
        for (const { id, user_name } of rows) ids.set(user_name, id);
      },
      updateMany: (changes) =>
        http.send(
          'POST',
          '/scim/Bulk',
          bulk(
            changes.map(({ employeeID, newEmployeeID = employeeID, ...user }) => ({
              method: 'PUT',
              path: `/Users/${ids.get(employeeID)}`,
              data: record({ ...user, employeeID: newEmployeeID }),
            })),
          ),
        ),
      itemAnswers: ({ text }) =>
        (JSON.parse(text) as BulkReply).Operations.map(({ status, response }) => ({
          done: status.startsWith('2'),
          text: response?.detail ?? '',
        })),
      refusal: ({ text }) => text,
      countPhones: async (phones) => {
        const { rowCount } = await database.query('SELECT FROM users WHERE phone = ANY ($1)', [phones]);
        return rowCount ?? 0;
      },
      stop: async () => {
        http.close();
        await program.stop();
      },
    };
  },
};

export async function startScimmy({
  databaseUrl,
  folder,
  signal,
}: Pick<Place, 'databaseUrl' | 'folder' | 'signal'>): Promise<{
  readonly url: string;
  readonly token: string;
  readonly program: Program;
}> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = join(folder, 'scimmy-server.mjs');
  copyFileSync('bench/peers/scimmy-server.mjs', server);
  const program = runProgram(process.execPath, [server], {
    folder,
    signal,
    environment: { HOST: '127.0.0.1', PORT: String(port), DATABASE_URL: databaseUrl, TOKEN: token },
  });
  await untilAnswered(`${url}/ready`, program);
  return { url, token, program };
}

function bulk(operations: readonly object[]) {
  return { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations };
}

function record({ employeeID, name, email, phone }: User) {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: employeeID,
    displayName: name,
    emails: [{ value: email, type: 'work' }],
    phoneNumbers: [{ value: phone, type: 'work' }],
    active: true,
  };
}
