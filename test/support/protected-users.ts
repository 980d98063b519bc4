import type { Role, Scope } from '../../src/contract/scopes.js';
import { givenClient } from './clients.js';
import { newAddress } from './deliveries.js';
import { type GivenUser, issueToken, newId, type Reply, type TestService } from './service.js';

/** A caller with its own token. */
export interface Outsider {
  patch(serial: string, body: unknown): Promise<Reply>;
  bulk(items: readonly unknown[], query?: string): Promise<Reply>;
  upsert(items: readonly unknown[], query?: string): Promise<Reply>;
  undo(callId: string): Promise<Reply>;
  post(path: string, body?: unknown): Promise<Reply>;
  create(fields: Record<string, unknown>): Promise<Reply>;
}

export function callsAs(service: TestService, token: string): Outsider {
  const post = (path: string, body?: unknown) => service.request('POST', path, { body, token });
  return {
    patch: (serial, body) => service.request('PATCH', `/service/users/${serial}`, { body, token }),
    bulk: (items, query = '') => post(`/service/users/update-bulk${query}`, { items }),
    upsert: (items, query = '') => post(`/service/users/upsert-bulk${query}`, { items }),
    undo: (callId) => post(`/service/calls/${callId}/undo`),
    post,
    create: (fields) => post('/service/users', fields),
  };
}

/** A new client with these scopes. */
export async function aClient(
  service: TestService,
  scopes: readonly Scope[] = ['users:read', 'users:write'],
): Promise<Outsider> {
  return callsAs(service, await issueToken(service.url, await givenClient(service, scopes)));
}

export async function giveRole(service: TestService, serial: string, role: Role | null): Promise<void> {
  const reply = await service.request('PUT', `/service/users/${serial}/role`, { body: { role } });
  if (reply.status !== 200) throw new Error(`the role was not set: ${reply.text}`);
}

/** A user with a role, an email and a username. */
export async function givenHolder(
  service: TestService,
  role: Role = 'administrator',
  overrides: Record<string, unknown> = {},
): Promise<GivenUser & { email: string | null; username: string }> {
  const fields = { username: newId('u'), email: newAddress(), ...overrides };
  const user = await service.givenUser(fields);
  await giveRole(service, user.serial, role);
  return { ...user, email: fields.email as string | null, username: String(fields.username) };
}

export async function roleOf(service: TestService, serial: string): Promise<unknown> {
  return (await service.get(`/service/users/${serial}/role`)).json.data;
}
