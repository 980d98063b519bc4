import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import type { Client } from './format-client.js';

/** `rollcall clients list` */
export async function listClients(options: ListOptions): Promise<void> {
  const clients = connectInteractive().each('listClients', { query: { limit: pageLimit(options) } });
  await printList<Client>(clients, options, {
    headings: ['ID', 'NAME', 'STATUS', 'CREATED', 'SCOPES'],
    row: ({ id, name, isActive, createdAt, scopes }) => [
      id,
      name,
      isActive ? 'active' : 'disabled',
      formatTime(createdAt),
      scopes.join(', '),
    ],
    empty: 'No clients. To create one, see rollcall clients create --help.',
  });
}
