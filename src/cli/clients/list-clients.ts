import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { shownTime } from '../terminal/time.js';
import type { Client } from './shown-client.js';

/** `rollcall clients list` */
export async function listClients(options: ListOptions): Promise<void> {
  const clients = connectBriefly().each('listClients', { query: { limit: pageLimit(options) } });
  await printList<Client>(clients, options, {
    headings: ['ID', 'NAME', 'STATUS', 'CREATED', 'SCOPES'],
    row: ({ id, name, isActive, createdAt, scopes }) => [
      id,
      name,
      isActive ? 'active' : 'disabled',
      shownTime(createdAt),
      scopes.join(', '),
    ],
    empty: 'There are no clients. Create one: rollcall clients create --help.',
  });
}
