import { expect } from 'vitest';
import type { ResolvedName } from '../../src/domain/directories/resolve-names.js';
import type { Reply, TestService } from './service.js';

export type Directory = 'organizations' | 'tags';

export function entryPath(directory: Directory, serial: string): string {
  return `/service/${directory}/${encodeURIComponent(serial)}`;
}

/** What the directory says about a serial; the status if it says nothing. */
export async function readEntry(service: TestService, directory: Directory, serial: string) {
  const reply = await service.get(entryPath(directory, serial));
  return reply.status === 200 ? reply.json.data : reply.status;
}

export function putEntry(
  service: TestService,
  directory: Directory,
  serial: string,
  body: Record<string, unknown> = {},
): Promise<Reply> {
  return service.request('PUT', entryPath(directory, serial), { body });
}

export async function givenEntry(
  service: TestService,
  directory: Directory,
  serial: string,
  body: Record<string, unknown> = {},
): Promise<void> {
  const reply = await putEntry(service, directory, serial, body);
  expect(reply.status, reply.text).toBe(200);
}

export function deleteEntry(service: TestService, directory: Directory, serial: string): Promise<Reply> {
  return service.request('DELETE', entryPath(directory, serial));
}

/** The serials that a search of the directory finds. */
export async function foundEntries(
  service: TestService,
  directory: Directory,
  search: string,
): Promise<string[]> {
  const reply = await service.get(`/service/${directory}?${new URLSearchParams({ search })}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items.map(({ serial }: { serial: string }) => serial);
}

/** A call for everyone who matches, confirmed with the number that its preview reports. */
export async function confirmed(service: TestService, path: string, body: unknown): Promise<Reply> {
  const preview = await service.post(`${path}?dryRun=true`, body);
  expect(preview.status, preview.text).toBe(200);
  const { successItems, failedItems } = preview.json.data;
  return service.post(`${path}?confirm=${successItems.length + failedItems.length}`, body);
}

/** What names in files mean. */
export async function resolvedNames(
  service: TestService,
  directory: Directory,
  names: readonly string[],
): Promise<ResolvedName[]> {
  const reply = await service.post(`/service/${directory}/resolve-names`, { names });
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data.items;
}

export async function givenNames(
  service: TestService,
  directory: Directory,
  ...items: Record<string, unknown>[]
): Promise<void> {
  const reply = await service.post(`/service/${directory}/remember-names`, { items });
  expect(reply.status, reply.text).toBe(200);
}
