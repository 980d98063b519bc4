import { timedMs } from './figures.js';
import { inParallel } from './in-parallel.js';
import { type NewUser, newUsers } from './new-users.js';
import type { Service } from './service.js';

/** Sends all bodies over this many light connections. Returns the time of the requests only. */
export async function postAll(
  service: Service,
  path: string,
  bodies: readonly string[],
  { concurrency, expected }: { readonly concurrency: number; readonly expected: number },
): Promise<number> {
  const clients = await service.lightClients(concurrency);
  try {
    return await timedMs(() =>
      inParallel(bodies, concurrency, async (body, lane) => {
        const reply = await clients[lane]?.post(path, body, service.token);
        if (reply?.status !== expected) throw new Error(`${path} failed: ${reply?.text}`);
      }),
    );
  } finally {
    for (const client of clients) client.close();
  }
}

/** In creates per second. */
export async function createRate(service: Service, count: number, concurrency: number): Promise<number> {
  const ms = await createOverHttp(service, newUsers(count), concurrency);
  return (count / ms) * 1_000;
}

function createOverHttp(service: Service, users: readonly NewUser[], concurrency: number): Promise<number> {
  const bodies = users.map((user) => JSON.stringify(user));
  return postAll(service, '/service/users', bodies, { concurrency, expected: 201 });
}
