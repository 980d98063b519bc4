import type { Schemas } from '#client';
import { type JsonOption, printRecord, say } from '../output.js';
import { shownSecrets } from '../terminal/secret-dates.js';
import { shownTime } from '../terminal/time.js';

export type Client = Schemas['Client'];

export function shownClient(client: Client): [name: string, value: string][] {
  return [
    ['ID', client.id],
    ['name', client.name],
    ['scopes', client.scopes.join(', ')],
    ['status', client.isActive ? 'active' : 'disabled'],
    ['created', shownTime(client.createdAt)],
    ['secrets', shownSecrets(client.secrets)],
  ];
}

/** The secret is data, and goes where data goes; that it comes once is said beside it. */
export function printWithSecret(client: Client & { secret: string }, options: JsonOption): void {
  printRecord(client, options, () => [...shownClient(client), ['secret', client.secret]]);
  say('The secret is not shown again: put it where it is kept safe.');
}
