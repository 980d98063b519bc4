import { expect } from 'vitest';
import { callIdOf, readCall } from './calls.js';
import { givenClient } from './clients.js';
import { type ClientCredentials, issueToken, type Reply, type TestService } from './service.js';

/** Nodes look for due calls more often than usual, so that tests need not wait, but not all the time. */
export const eager = { ROLLCALL_PLANNED_CALL_POLL_MS: '100' };

/** Long after every test. */
export const later = '2100-01-01';

/** Plans a bulk update. Returns the ID of the call. */
export async function givenPlan(
  service: TestService,
  items: unknown,
  query = `effectiveAt=${later}`,
  token?: string,
): Promise<string> {
  const reply = await service.post(`/service/users/update-bulk?${query}`, { items }, token ? { token } : {});
  return plannedIdOf(reply);
}

export function plannedIdOf(reply: Reply): string {
  if (reply.status !== 202) throw new Error(`the call was not planned: ${reply.text}`);
  return callIdOf(reply);
}

/** Lets the time of a planned call come. */
export async function makeDue({ database }: TestService, id: string): Promise<void> {
  await database.pool.query('UPDATE planned_calls SET due_at = now() WHERE call_id = $1', [id]);
}

/** Waits until a call is in a state. */
export async function untilState(service: TestService, id: string, state: string): Promise<void> {
  await expect.poll(async () => (await readCall(service, id)).state, { interval: 20 }).toBe(state);
}

/** Lets the time come, and waits until the call has run. Returns its outcomes: a serial, or the name of an error. */
export async function runNow(service: TestService, id: string): Promise<unknown[]> {
  await makeDue(service, id);
  await untilState(service, id, 'done');
  return outcomesOf(service, id);
}

export async function outcomesOf(service: TestService, id: string): Promise<unknown[]> {
  const { items } = (await service.get(`/service/calls/${id}/items?limit=200`)).json.data;
  // biome-ignore lint/suspicious/noExplicitAny: as sent
  return items.map(({ serial, error }: any) => error?.message ?? serial);
}

export function decide(
  service: TestService,
  id: string,
  action: 'approve' | 'cancel' | 'take-over',
  token?: string,
): Promise<Reply> {
  return service.request('POST', `/service/calls/${id}/${action}`, token ? { token } : {});
}

/** Someone else who may change users. */
export async function givenColleague(
  service: TestService,
  scopes: readonly string[] = ['users:read', 'users:write'],
): Promise<ClientCredentials & { token: string }> {
  const client = await givenClient(service, scopes);
  return { ...client, token: await issueToken(service.url, client) };
}
