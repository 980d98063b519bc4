import type { Schemas } from '#client';
import { harmless } from '../terminal/text-width.js';

export type Me = Schemas['Me']['data'];

/** "the client client-1f2e3d4c5b6a", "ada (Ada Lovelace)" */
export function shownWho({ kind, id, name, username }: Me): string {
  switch (kind) {
    case 'client':
      return `the client ${id}`;
    case 'person':
      return harmless(`${username ?? id}${name === null ? '' : ` (${name})`}`);
    case 'outside':
      return harmless(`${id}, for whom an outside issuer vouches`);
  }
}

/** What it may do, in a few words. */
export function shownScopes({ role, scopes }: Me): string {
  const rights = scopes.join(', ') || 'nothing';
  return role === null ? rights : `${rights} (${role})`;
}
