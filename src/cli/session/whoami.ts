import type { Schemas } from '#client';
import { host } from '../host.js';
import { type JsonOption, printRecord } from '../output.js';
import { sanitize } from '../terminal/text-width.js';
import { briefRetry, clientAt, connection } from './connect.js';

/** `rollcall whoami` */
export async function whoAmI(options: JsonOption): Promise<void> {
  const { url, auth, from } = connection(host().env);
  const { body } = await clientAt(url, { auth, retry: briefRetry }).call('getMe');
  printRecord({ url, ...body.data, from }, options, (me) => [
    ['service', `${url}  (${from.url})`],
    ['identity', `${identityText(me)}  (${from.auth})`],
    ['permissions', permissionsText(me)],
  ]);
}

export type Me = Schemas['Me']['data'];

/** "client client-1f2e3d4c5b6a", "ada (Ada Lovelace)" */
export function identityText({ kind, id, name, username, employeeID }: Me): string {
  switch (kind) {
    case 'client':
      return `client ${id}`;
    case 'person':
      return sanitize(`${username ?? employeeID ?? id}${name === null ? '' : ` (${name})`}`);
    case 'outside':
      return sanitize(`${id} (external issuer)`);
  }
}

export function permissionsText({ role, scopes }: Me): string {
  const permissions = scopes.join(', ') || 'none';
  return role === null ? permissions : `${permissions} (${role})`;
}
