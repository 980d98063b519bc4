import { expect } from 'vitest';
import type { Reply, RequestOptions, TestService } from './service.js';

/** The ID of the call that a reply belongs to. */
export function callIdOf(reply: Reply): string {
  const id = reply.headers.get('x-call-id');
  if (id === null) throw new Error(`the reply has no call ID: ${reply.text}`);
  return id;
}

/** Runs a bulk update in which every item must succeed. Returns the call ID. */
export async function givenUpdates(service: TestService, items: unknown, query = ''): Promise<string> {
  return doneCall(await service.post(`/service/users/update-bulk${query}`, { items }));
}

/** The same for a bulk create, with the serials of the users. */
export async function givenCreates(
  service: TestService,
  items: unknown,
  query = '',
): Promise<{ callId: string; serials: string[] }> {
  const reply = await service.post(`/service/users/create-bulk${query}`, { items });
  const callId = doneCall(reply);
  return {
    callId,
    serials: reply.json.data.successItems.map((entry: SuccessEntry) => entry.response.serial),
  };
}

function doneCall(reply: Reply): string {
  if (reply.json.data?.failedItems.length !== 0) throw new Error(`not all items succeeded: ${reply.text}`);
  return callIdOf(reply);
}

export function undo(
  service: TestService,
  callId: string,
  query = '',
  options?: RequestOptions,
): Promise<Reply> {
  return service.request('POST', `/service/calls/${callId}/undo${query}`, options);
}

/** Undoes a call as far as possible. Returns the ID of the undo. */
export async function undone(service: TestService, callId: string): Promise<string> {
  return callIdOf(await undo(service, callId));
}

export function previewUndo(service: TestService, callId: string): Promise<Reply> {
  return undo(service, callId, '?dryRun=true');
}

interface SuccessEntry {
  readonly payload: { readonly employeeID: string };
  readonly response: { readonly serial: string };
  readonly effect: { readonly kind: string; readonly fields: unknown };
}

interface FailedEntry {
  readonly payload: { readonly employeeID: string };
  readonly error: { readonly errorCode: number; readonly message: string; readonly detail: string };
  readonly takenBy?: unknown;
}

/** The results of an undo by employee ID: the kind of effect, or the error code. */
export function verdictsOf(reply: Reply): Record<string, string | number> {
  expect(reply.status, reply.text).toBe(200);
  const successes = successesOf(reply).map(({ payload, effect }) => [payload.employeeID, effect.kind]);
  const failures = failuresOf(reply).map(({ payload, error }) => [payload.employeeID, error.errorCode]);
  return Object.fromEntries([...successes, ...failures]);
}

export function successesOf(reply: Reply): SuccessEntry[] {
  return reply.json.data.successItems;
}

export function failuresOf(reply: Reply): FailedEntry[] {
  return reply.json.data.failedItems;
}

/** A call as returned by GET /service/calls. */
export async function readCall(service: TestService, id: string) {
  const reply = await service.get(`/service/calls/${id}`);
  if (reply.status !== 200) throw new Error(`could not read the call: ${reply.text}`);
  return reply.json.data;
}

/** Users without what every write changes; null if they don't exist. */
export function statesOf(service: TestService, serials: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    serials.map(async (serial) => {
      const reply = await service.get(`/service/users/${serial}`);
      if (reply.status === 404) return null;
      const { updatedAt: _, ...state } = reply.json.data;
      return state;
    }),
  );
}

/** Leaves a call as a node does that died while running it: claimed, with nobody renewing the claim. */
export async function leaveRunning(
  service: TestService,
  callId: string,
  claimed: 'still' | 'no more',
): Promise<void> {
  await service.database.pool.query(
    `UPDATE calls SET state = 'running', finished_at = NULL, claimed_until = now() + $2::interval WHERE id = $1`,
    [callId, claimed === 'still' ? '1 hour' : '-1 second'],
  );
}
