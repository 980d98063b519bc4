import type { Scope } from '../../contract/scopes.js';
import type { JsonOption } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { printWithSecret } from './shown-client.js';

export interface CreateClientOptions extends JsonOption {
  readonly name: string;
  readonly scopes: Scope[];
}

/** `rollcall clients create` */
export async function createClient({ name, scopes, json }: CreateClientOptions): Promise<void> {
  const { body } = await connectBriefly().call('createClient', { body: { name, scopes } });
  printWithSecret(body.data, { json });
}
