import { expect } from 'vitest';
import { itemFor } from './bulk-items.js';
import { aUser, newId, type Reply, type RequestOptions, type TestService } from './service.js';

/** A request that can be repeated, with a valid body. */
export interface Operation {
  readonly path: string;
  body(service: TestService): Promise<unknown>;
}

export const createOne: Operation = { path: '/service/users', body: async () => aUser() };

export const createBulk: Operation = {
  path: '/service/users/create-bulk',
  body: async () => ({ items: [aUser(), aUser({ email: 'none' }), aUser()] }),
};

/** A rename, which would fail the second time because the old employee ID is gone. */
export const updateBulk: Operation = {
  path: '/service/users/update-bulk',
  body: async (service) => {
    const { employeeID } = await service.givenUser();
    return { items: [itemFor(employeeID, { newEmployeeID: newId() }), 7, itemFor(newId())] };
  },
};

/** Creates a user, then renames the user. The second time, the first item would create another one. */
export const upsertBulk: Operation = {
  path: '/service/users/upsert-bulk',
  body: async () => {
    const user = aUser({ password: 'correct horse battery staple' });
    return { items: [user, itemFor(user.employeeID, { newEmployeeID: newId() }), 7] };
  },
};

export const operations = [createOne, createBulk, updateBulk, upsertBulk];

/** In chunks of two items, so that a call can be interrupted between them. Claims expire only when a test says so. */
export const inChunksOfTwo = { ROLLCALL_BULK_CHUNK_ITEMS: '2', ROLLCALL_CALL_LEASE_MS: '600000' };

interface KeyedOptions extends RequestOptions {
  readonly requestId?: string;
}

export function sendWithKey(
  service: TestService,
  path: string,
  body: unknown,
  key: string,
  { requestId, headers, ...options }: KeyedOptions = {},
): Promise<Reply> {
  return service.post(path, body, {
    ...options,
    headers: {
      'idempotency-key': key,
      ...(requestId !== undefined && { 'x-request-id': requestId }),
      ...headers,
    },
  });
}

export function isReplay(reply: Reply): boolean {
  const header = reply.headers.get('idempotent-replayed');
  expect([null, 'true']).toContain(header);
  return header !== null;
}

/** The same reply, marked as a replay. */
export function expectReplayOf(first: Reply, again: Reply): void {
  expect(again.text).toBe(first.text);
  expect(again.status).toBe(first.status);
  for (const name of ['x-call-id', 'location', 'content-type']) {
    expect(again.headers.get(name)).toBe(first.headers.get(name));
  }
  expect(isReplay(again)).toBe(true);
}
