import type { Schemas } from '#client';
import { type JsonOption, printMessage, printRecord } from '../output.js';
import { formatSecrets } from '../terminal/format-secrets.js';
import { formatTime } from '../terminal/format-time.js';

export type Client = Schemas['Client'];

export function formatClient(client: Client): [name: string, value: string][] {
  return [
    ['ID', client.id],
    ['name', client.name],
    ['scopes', client.scopes.join(', ')],
    ['status', client.isActive ? 'active' : 'disabled'],
    ['created', formatTime(client.createdAt)],
    ['secrets', formatSecrets(client.secrets)],
  ];
}

export function printWithSecret(client: Client & { secret: string }, options: JsonOption): void {
  printRecord(client, options, () => [...formatClient(client), ['secret', client.secret]]);
  printMessage('The secret will not be shown again. Store it in a safe place.');
}
