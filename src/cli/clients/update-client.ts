import type { RequestBody } from '#client';
import type { Scope } from '../../contract/scopes.js';
import { type JsonOption, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive } from '../session/connect.js';
import { formatClient } from './format-client.js';

export interface UpdateClientOptions extends JsonOption {
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

async function patch(id: string, body: RequestBody<'updateClient'>, options: JsonOption): Promise<void> {
  const updated = await connectInteractive().call('updateClient', { path: { id }, body });
  printRecord(updated.body.data, options, formatClient);
}
