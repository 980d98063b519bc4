import type { Role } from '../../contract/scopes.js';
import { type SetRoleContext, setRole } from '../access/roles.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller, Sender } from '../caller.js';

export interface ProviderRole {
  readonly serial: string;
  readonly role: Role | null;
  /** The subject at the provider. */
  readonly actorId: string;
}

/**
 * The provider has the last word on roles, except that the last administrator remains one: nobody could repair a mistake
 * in its groups otherwise.
 */
export async function applyProviderRole(
  context: SetRoleContext,
  { serial, role, actorId }: ProviderRole,
  sender: Sender,
): Promise<void> {
  const caller: Caller = { ...sender, actor: { kind: 'outside', id: actorId, scopes: new Set() } };
  const set = await setRole(context, serial, role, caller);
  if (set.ok) return;
  await recordAccess(context.database.pool, 'role.kept', caller, {
    userSerial: serial,
    detail: { before: 'administrator', refused: role },
  });
}
