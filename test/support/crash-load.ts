import { expect } from 'vitest';
import { anItem, aUser } from './service.js';
import type { ServiceProcess } from './service-process.js';

/** Sends a request to a service that runs as a process. */
export async function callProcess(service: ServiceProcess, token: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  return { status: response.status, json: (await response.json()) as any };
}

/** What a killed service had acknowledged. */
export interface Acknowledged {
  readonly newUsers: readonly { readonly employeeID: string }[];
  readonly created: ReadonlySet<string>;
  readonly round: number;
}

/** Creates users and writes rounds into two fields of the same users, until the service is killed amid both. */
export async function killUnderLoad(
  service: ServiceProcess,
  token: string,
  { users, rounds, creates }: { users: number; rounds: number; creates: number },
): Promise<Acknowledged> {
  const newUsers = Array.from({ length: users }, () => aUser());
  await callProcess(service, token, '/service/users/create-bulk', { items: newUsers });
  const created = new Set<string>();
  let done = 0;
  let running = true;
  const creating = async () => {
    while (running) {
      const user = aUser();
      if ((await callProcess(service, token, '/service/users', user)).status === 201)
        created.add(user.employeeID);
    }
  };
  const updating = async () => {
    for (let round = 1; running; round++) {
      const items = newUsers.map((user) =>
        anItem(user, { name: `R${round}`, organizationSerial: `R${round}` }),
      );
      const reply = await callProcess(service, token, '/service/users/update-bulk', { items });
      if (reply.json.data.successItems.length === newUsers.length) done = round;
    }
  };
  const load = Promise.allSettled([creating(), creating(), updating()]);
  await expect.poll(() => done >= rounds && created.size >= creates, { interval: 5 }).toBe(true);
  await service.kill('SIGKILL');
  running = false;
  await load;
  return { newUsers, created, round: done };
}

/** Nothing acknowledged is lost, and no item is half done. */
export async function expectNothingLost(
  service: ServiceProcess,
  token: string,
  { newUsers, created, round }: Acknowledged,
): Promise<void> {
  const everyone = new Map<string, { name: string; organizationSerial: string | null }>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = await callProcess(
      service,
      token,
      `/service/users?limit=200${cursor && `&cursor=${cursor}`}`,
    );
    for (const user of page.json.data.items) everyone.set(user.employeeID, user);
    cursor = page.json.data.nextCursor;
  }
  for (const employeeID of created) expect(everyone.has(employeeID), employeeID).toBe(true);
  const found = new Set(newUsers.map(({ employeeID }) => everyone.get(employeeID)?.name));
  expect(found.size, 'a call of one transaction is there whole or not at all').toBe(1);
  const [last] = [...found];
  expect(Number(last?.slice(1))).toBeGreaterThanOrEqual(round);
  for (const { employeeID } of newUsers) expect(everyone.get(employeeID)?.organizationSerial).toBe(last);
}
