import type { RequestBody, Schemas } from '#client';
import type { Scope } from '../../contract/scopes.js';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { formatSecrets, formatTime } from '../terminal/format-time.js';

type Client = Schemas['Client'];

interface CreateClientOptions extends JsonOption {
  readonly name: string;
  readonly scopes: Scope[];
}

/** `rollcall clients create` */
export async function createClient({ name, scopes, json }: CreateClientOptions): Promise<void> {
  const { body } = await connectInteractive().call('createClient', { body: { name, scopes } });
  printWithSecret(body.data, { json });
}

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

/** `rollcall clients get ID` */
export async function getClient(id: string, options: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getClient', { path: { id } });
  printRecord(body.data, options, formatClient);
}

interface UpdateClientOptions extends JsonOption {
  readonly name?: string | undefined;
  readonly scopes?: Scope[] | undefined;
}

/** `rollcall clients update ID` */
export async function updateClient(id: string, options: UpdateClientOptions): Promise<void> {
  const { name, scopes } = options;
  if (name === undefined && scopes === undefined) {
    throw new CommandProblem('wrongUse', 'Nothing to update. Use --name or --scopes.');
  }
  const body = { ...(name === undefined ? {} : { name }), ...(scopes === undefined ? {} : { scopes }) };
  await patch(id, body, options);
}

/** `rollcall clients disable ID` */
export function disableClient(id: string, options: JsonOption): Promise<void> {
  return patch(id, { isActive: false }, options);
}

/** `rollcall clients enable ID` */
export function enableClient(id: string, options: JsonOption): Promise<void> {
  return patch(id, { isActive: true }, options);
}

export interface RotateOptions extends JsonOption {
  readonly overlapSeconds?: number | undefined;
}

/** `rollcall clients rotate ID` */
export async function rotateClientSecret(id: string, { overlapSeconds, json }: RotateOptions): Promise<void> {
  const { body } = await connectInteractive().call('rotateClientSecret', {
    path: { id },
    body: overlapSeconds === undefined ? {} : { overlapSeconds },
  });
  printWithSecret(body.data, { json });
}

function formatClient(client: Client): [name: string, value: string][] {
  return [
    ['ID', client.id],
    ['name', client.name],
    ['scopes', client.scopes.join(', ')],
    ['status', client.isActive ? 'active' : 'disabled'],
    ['created', formatTime(client.createdAt)],
    ['secrets', formatSecrets(client.secrets)],
  ];
}

function printWithSecret(client: Client & { secret: string }, options: JsonOption): void {
  printRecord(client, options, () => [...formatClient(client), ['secret', client.secret]]);
  printMessage('The secret will not be shown again. Store it in a safe place.');
}

async function patch(id: string, body: RequestBody<'updateClient'>, options: JsonOption): Promise<void> {
  const updated = await connectInteractive().call('updateClient', { path: { id }, body });
  printRecord(updated.body.data, options, formatClient);
}
