import { expect } from 'vitest';
import type { Reply, RequestOptions, TestService } from './service.js';

export function eraseUser(service: TestService, serial: string, options?: RequestOptions): Promise<Reply> {
  return service.request('DELETE', `/service/users/${serial}`, options);
}

export async function erased(service: TestService, serial: string): Promise<void> {
  const reply = await eraseUser(service, serial);
  expect(reply.status, reply.text).toBe(200);
}

export function eraseBulk(
  service: TestService,
  serials: readonly unknown[],
  query = '',
  options?: RequestOptions,
): Promise<Reply> {
  const items = serials.map((serial) => ({ serial }));
  return service.post(`/service/users/erase-bulk${query}`, { items }, options);
}
