import type { Scope } from '../../contract/scopes.js';
import type { JsonOption } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { printWithSecret } from './format-client.js';

export interface CreateClientOptions extends JsonOption {
  readonly name: string;
  readonly scopes: Scope[];
}

/** `rollcall clients create` */
export async function createClient({ name, scopes, json }: CreateClientOptions): Promise<void> {
  const { body } = await connectInteractive().call('createClient', { body: { name, scopes } });
  printWithSecret(body.data, { json });
}
