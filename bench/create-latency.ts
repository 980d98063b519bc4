import { itemOf } from './bulk-calls.js';
import { quantile } from './figures.js';
import { startBulkLoad } from './load-thread.js';
import { newUsers } from './new-users.js';
import type { Service } from './service.js';
import type { Users } from './users.js';

/** In ms. */
export interface Latency {
  readonly median: number;
  readonly p99: number;
}

const createsPerRound = 250;

/** The latency of a single create, alone and while bulk calls run back to back. */
export async function createLatency(
  service: Service,
  users: Users,
  { items, rounds }: { readonly items: number; readonly rounds: number },
): Promise<{ alone: Latency; besideCalls: Latency }> {
  const alone: number[] = [];
  const beside: number[] = [];
  await createOneByOne(service, 100);
  for (let round = 0; round < rounds; round++) {
    alone.push(...(await createOneByOne(service, createsPerRound)));
    const bodies = Array.from({ length: 6 }, () =>
      JSON.stringify({ items: users.changes(items, 'phones').map(itemOf) }),
    );
    const load = await startBulkLoad(service, bodies);
    beside.push(...(await createOneByOne(service, createsPerRound)));
    await load.stop();
  }
  return { alone: latencyOf(alone), besideCalls: latencyOf(beside) };
}

async function createOneByOne(service: Service, count: number): Promise<number[]> {
  const [client] = await service.lightClients(1);
  if (!client) return [];
  const bodies = newUsers(count).map((user) => JSON.stringify(user));
  const taken: number[] = [];
  for (const body of bodies) {
    const start = performance.now();
    const { status, text } = await client.post('/service/users', body, service.token);
    taken.push(performance.now() - start);
    if (status !== 201) throw new Error(`a create failed: ${text}`);
  }
  client.close();
  return taken;
}

function latencyOf(taken: readonly number[]): Latency {
  const sorted = taken.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}
