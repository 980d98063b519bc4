import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../test/support/postgres-server.js';
import { expectReply } from './http-client.js';
import type { Peer, User } from './peer.js';
import { runProgram, untilAnswered } from './program.js';

const version = '9.10.0';
const application = 'bench';
const masterKey = 'only-for-the-bench';
const mount = '/parse';
const users = `${mount}/classes/Person`;

type BatchReply = readonly {
  readonly success?: { readonly objectId?: string };
  readonly error?: { readonly code: number; readonly error: string };
}[];

export const parseServer: Peer = {
  name: 'Parse Server',
  version,
  packages: { 'parse-server': version },
  calls: { create: 'POST /classes/Person', update: 'POST /batch with a PUT for each user' },
  remarks: [
    'logLevel error and logsFolder null; by default, it has no rate limit and no batch limit.',
    'Users are objects of a class Person with a unique index on employeeID, because its own users require a password, which would be hashed.',
    'Calls use the master key, which skips permission checks. It runs the requests of a batch concurrently, each in its own commit, and keeps no record of changes.',
  ],
  start: async ({ databaseUrl, database, folder, client, signal }) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    // In a file, because environment variables cannot contain null, which turns off log files.
    const options = {
      appId: application,
      masterKey,
      databaseURI: databaseUrl,
      host: '127.0.0.1',
      port,
      serverURL: `${url}${mount}`,
      logLevel: 'error',
      logsFolder: null,
    };
    writeFileSync(join(folder, 'options.json'), JSON.stringify(options));
    const command = join(folder, 'node_modules/parse-server/bin/parse-server');
    const program = runProgram(process.execPath, [command, 'options.json'], { folder, signal });
    await untilAnswered(`${url}${mount}/health`, program);

    const http = client(url, { 'x-parse-application-id': application, 'x-parse-master-key': masterKey });
    const schema = await http.send('POST', `${mount}/schemas/Person`, {
      className: 'Person',
      fields: {
        employeeID: { type: 'String' },
        name: { type: 'String' },
        email: { type: 'String' },
        phone: { type: 'String' },
        isActive: { type: 'Boolean' },
      },
    });
    expectReply(schema, 200);
    // Parse has no call to create the index, but knows how to report its violations.
    await database.query('CREATE UNIQUE INDEX ON "Person" ("employeeID")');

    const ids = new Map<string, string>();
    return {
      createOne: async (user) => {
        expectReply(await http.send('POST', users, record(user)), 201);
      },
      createMany: async (newUsers) => {
        const requests = newUsers.map((user) => ({ method: 'POST', path: users, body: record(user) }));
        const created = expectReply(
          await http.send('POST', `${mount}/batch`, { requests }),
          200,
        ) as BatchReply;
        for (const [index, { success }] of created.entries()) {
          const { employeeID = '' } = newUsers[index] ?? {};
          if (success?.objectId) ids.set(employeeID, success.objectId);
        }
      },
      updateMany: (changes) =>
        http.send('POST', `${mount}/batch`, {
          requests: changes.map(({ employeeID, newEmployeeID, name, phone }) => ({
            method: 'PUT',
            path: `${users}/${ids.get(employeeID)}`,
            body: { employeeID: newEmployeeID, name, phone },
          })),
        }),
      itemAnswers: ({ text }) =>
        (JSON.parse(text) as BatchReply).map(({ error }) => ({
          done: error === undefined,
          text: error?.error ?? '',
        })),
      refusal: ({ text }) => text,
      countPhones: async (phones) => {
        const { rowCount } = await database.query('SELECT FROM "Person" WHERE phone = ANY ($1)', [phones]);
        return rowCount ?? 0;
      },
      stop: async () => {
        http.close();
        await program.stop();
      },
    };
  },
};

function record(user: User) {
  return { ...user, isActive: true };
}
