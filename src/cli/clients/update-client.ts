import type { RequestBody } from '#client';
import type { Scope } from '../../contract/scopes.js';
import { type JsonOption, printRecord } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectBriefly } from '../session/connect.js';
import { shownClient } from './shown-client.js';

export interface UpdateClientOptions extends JsonOption {
  readonly name?: string | undefined;
  readonly scopes?: Scope[] | undefined;
}

/** `rollcall clients update ID` */
export async function updateClient(id: string, options: UpdateClientOptions): Promise<void> {
  const { name, scopes } = options;
  if (name === undefined && scopes === undefined) {
    throw new CommandProblem('wrongUse', 'Say what to change: --name or --scopes.');
  }
  const body = { ...(name === undefined ? {} : { name }), ...(scopes === undefined ? {} : { scopes }) };
  await patch(id, body, options);
}

/** `rollcall clients disable ID`: its tokens end within seconds. */
export function disableClient(id: string, options: JsonOption): Promise<void> {
  return patch(id, { isActive: false }, options);
}

/** `rollcall clients enable ID` */
export function enableClient(id: string, options: JsonOption): Promise<void> {
  return patch(id, { isActive: true }, options);
}

async function patch(id: string, body: RequestBody<'updateClient'>, options: JsonOption): Promise<void> {
  const updated = await connectBriefly().call('updateClient', { path: { id }, body });
  printRecord(updated.body.data, options, shownClient);
}
