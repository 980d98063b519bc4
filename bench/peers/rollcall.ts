import { readFileSync } from 'node:fs';
import type { Service, ServiceOptions } from '../processes.js';
import { expectReply } from './http-client.js';
import type { Peer, User } from './peer.js';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

export const rollcallName = 'Rollcall';

interface Report {
  readonly data: {
    readonly successItems: readonly unknown[];
    readonly failedItems: readonly { readonly error: { readonly detail: string } }[];
  };
}

export function rollcall(startService: (options: ServiceOptions) => Promise<Service>): Peer {
  return {
    name: rollcallName,
    version,
    packages: {},
    calls: { create: 'POST /service/users', update: 'POST /service/users/update-bulk' },
    remarks: ["LOG_LEVEL=warn; queued messages aren't sent during the measurement."],
    start: async ({ databaseUrl, database, client }) => {
      const service = await startService({
        environment: { DATABASE_URL: databaseUrl, NODE_ENV: 'production' },
      });
      const http = client(service.url, { authorization: `Bearer ${service.token}` });
      return {
        createOne: async (user) => {
          expectReply(await http.send('POST', '/service/users', record(user)), 201);
        },
        createMany: async (users) => {
          const reply = await http.send('POST', '/service/users/create-bulk', { items: users.map(record) });
          expectReply(reply, 200);
        },
        updateMany: (changes) =>
          http.send('POST', '/service/users/update-bulk', {
            items: changes.map(({ employeeID, newEmployeeID, name, phone }) => ({
              employeeID,
              newEmployeeID,
              name,
              phone,
              isActive: true,
            })),
          }),
        itemAnswers: ({ text }) => {
          const { data } = JSON.parse(text) as Report;
          return [
            ...data.successItems.map(() => ({ done: true, text: '' })),
            ...data.failedItems.map(({ error }) => ({ done: false, text: error.detail })),
          ];
        },
        refusal: ({ text }) => text,
        countPhones: async (phones) => {
          const { rowCount } = await database.query('SELECT FROM users WHERE phone = ANY ($1)', [phones]);
          return rowCount ?? 0;
        },
        stop: async () => {
          http.close();
          await service.stop();
        },
      };
    },
  };
}

export function record({ employeeID, name, email, phone }: User) {
  return { employeeID, name, username: employeeID, email, phone, isActive: true };
}
