import { deleteSession } from '../../storage/access/sessions.js';
import { transaction } from '../../storage/database.js';
import type { UserActor } from '../actor.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';

export async function signOut({ database }: Context, person: UserActor, caller: Caller): Promise<void> {
  await transaction(database, async (tx) => {
    await deleteSession(tx, person.tokenHash);
    await recordAccess(tx, 'sign-out', caller, { userSerial: person.id });
  });
}
