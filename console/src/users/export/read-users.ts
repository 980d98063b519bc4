import { limits, type Query } from '@rollcall/client';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';

/** Which users to export: a list, or those who are selected. */
export type ExportSource = { readonly query: Query<'listUsers'> } | { readonly serials: readonly string[] };

/** Page by page, in the order of the list, or in the order in which they were selected. */
export async function* readUsers(source: ExportSource, signal: AbortSignal): AsyncGenerator<readonly User[]> {
  if ('query' in source) {
    const query = { ...source.query, limit: limits.pageLimitMax };
    for await (const { items } of rollcall.pages('listUsers', { query, signal })) yield items;
    return;
  }
  const { serials } = source;
  for (let start = 0; start < serials.length; start += limits.filterValuesMax) {
    const serial = serials.slice(start, start + limits.filterValuesMax);
    const query = { serial, limit: limits.pageLimitMax };
    const { body } = await rollcall.call('listUsers', { query, signal });
    yield inOrderOf(serial, body.data.items);
  }
}

function inOrderOf(serials: readonly string[], users: readonly User[]): User[] {
  const bySerial = new Map(users.map((user) => [user.serial, user]));
  return serials.flatMap((serial) => bySerial.get(serial) ?? []);
}
