import { join } from 'node:path';
import { freePort } from '../../test/support/postgres-server.js';
import { expectReply } from './http-client.js';
import type { Peer, User } from './peer.js';
import { runProgram, untilAnswered } from './program.js';

/** The last version for Node.js 20: from 11.4 on it requires 22. */
const version = '11.3.5';
const administrator = { email: 'admin@example.com', password: 'only-for-the-bench' };

interface Refusal {
  readonly errors: readonly { readonly message: string }[];
}

export const directus: Peer = {
  name: 'Directus',
  version,
  packages: { directus: version },
  built: ['isolated-vm'],
  calls: { create: 'POST /users', update: 'PATCH /users with an array' },
  remarks: [
    'PRESSURE_LIMITER_ENABLED=false, TELEMETRY=false, LOG_LEVEL=error, SERVE_APP=false; by default, it caches no data and has no rate limit.',
    'Users are rows of directus_users, its own users table, with two additional fields, phone and a unique employee_id. They have no passwords, so nothing is hashed. Like Rollcall, it records every change, with a row in activity and one in revisions.',
    'Calls use the access token of a sign-in, which saves it a query compared with a static token.',
  ],
  start: async ({ databaseUrl, database, folder, client, signal }) => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      DB_CLIENT: 'pg',
      DB_CONNECTION_STRING: databaseUrl,
      SECRET: 'only-for-the-bench',
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
      PRESSURE_LIMITER_ENABLED: 'false',
      EMAIL_VERIFY_SETUP: 'false',
      TELEMETRY: 'false',
      LOG_LEVEL: 'error',
      SERVE_APP: 'false',
    };
    // The script that the "directus" command runs after checking the registry for a newer version.
    const command = join(folder, 'node_modules/@directus/api/dist/cli/run.js');
    const run = (name: string) =>
      runProgram(process.execPath, [command, name], { folder, environment, signal });
    await run('bootstrap').ended;
    const program = run('start');
    await untilAnswered(`${url}/server/ping`, program);

    const signIn = client(url, {});
    const { data } = expectReply(await signIn.send('POST', '/auth/login', administrator), 200) as {
      data: { access_token: string };
    };
    signIn.close();
    const http = client(url, { authorization: `Bearer ${data.access_token}` });
    for (const field of [
      { field: 'employee_id', type: 'string', schema: { is_unique: true } },
      { field: 'phone', type: 'string', schema: {} },
    ]) {
      expectReply(await http.send('POST', '/fields/directus_users', field), 200);
    }

    const ids = new Map<string, string>();
    return {
      createOne: async (user) => {
        expectReply(await http.send('POST', '/users', record(user)), 200);
      },
      createMany: async (users) => {
        expectReply(await http.send('POST', '/users', users.map(record)), 200);
        const { rows } = await database.query<{ id: string; employee_id: string }>(
          'SELECT id, employee_id FROM directus_users WHERE employee_id = ANY ($1)',
          [users.map((user) => user.employeeID)],
        );
        for (const { id, employee_id } of rows) ids.set(employee_id, id);
      },
      updateMany: (changes) =>
        http.send(
          'PATCH',
          '/users',
          changes.map(({ employeeID, newEmployeeID, name, phone }) => ({
            id: ids.get(employeeID),
            employee_id: newEmployeeID,
            ...names(name),
            phone,
          })),
        ),
      itemAnswers: () => [],
      refusal: ({ text }) => (JSON.parse(text) as Refusal).errors.map(({ message }) => message).join(' '),
      countPhones: async (phones) => {
        const { rowCount } = await database.query('SELECT FROM directus_users WHERE phone = ANY ($1)', [
          phones,
        ]);
        return rowCount ?? 0;
      },
      stop: async () => {
        http.close();
        await program.stop();
      },
    };
  },
};

function record({ employeeID, name, email, phone }: User) {
  return { employee_id: employeeID, ...names(name), email, phone };
}

function names(name: string) {
  const [first_name, ...rest] = name.split(' ');
  return { first_name, last_name: rest.join(' ') };
}
