import type { Schemas } from '#client';
import { sanitize } from '../terminal/text-width.js';

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
