import { expect, vi } from 'vitest';
import { atTheGate, closeGate, type Gate } from './gates.js';
import { aUser, type Reply, type TestService } from './service.js';

/**
 * Locks never time out here: a statement waits until the test releases the lock. So if something waits that shouldn't,
 * the test doesn't end.
 */
export const endless = { ROLLCALL_LOCK_TIMEOUT_MS: '3600000', ROLLCALL_STATEMENT_TIMEOUT_MS: '3600000' };
export const create = (service: TestService, user: object) => service.post('/service/users', user);
export const statusesOf = (replies: readonly Reply[]) => replies.map(({ status }) => status);

/** Creates two users that are held at their gates, so that later creates wait and are batched. */
export async function busy(
  service: TestService,
): Promise<{ gates: [Gate, Gate]; replies: Promise<Reply[]> }> {
  const users = [aUser(atTheGate), aUser(atTheGate)];
  const gates: Gate[] = [];
  for (const { employeeID } of users) gates.push(await closeGate(service, employeeID));
  const replies = Promise.all(users.map((user) => create(service, user)));
  for (const gate of gates) await gate.reached();
  return { gates: gates as [Gate, Gate], replies };
}

/** Sends creates one after the other, each once the previous one has joined the batch. */
export async function sendInOrder(service: TestService, users: readonly object[]): Promise<Promise<Reply>[]> {
  const joining = vi.spyOn(service.context, 'batchedCreate');
  const replies: Promise<Reply>[] = [];
  for (const user of users) {
    replies.push(create(service, user));
    await expect.poll(() => joining.mock.calls.length).toBe(replies.length);
  }
  joining.mockRestore();
  return replies;
}

export async function exists(service: TestService, { employeeID }: { employeeID: string }): Promise<boolean> {
  const reply = await service.get(`/service/users?employeeID=${employeeID}`);
  return reply.json.data.items.length === 1;
}

export async function expectServing(service: TestService): Promise<void> {
  const replies = await Promise.all(Array.from({ length: 20 }, () => create(service, aUser())));
  expect(statusesOf(replies)).toEqual(replies.map(() => 201));
}
