import { failure } from '../../contract/errors.js';
import { type Database, transaction } from '../../storage/database.js';
import { deleteGrantsOf, listApplicationsOf, type OwnApplication } from '../../storage/openid/states.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller, UserActor } from '../caller.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';

/** What has access to one's own data. */
export function listOwnApplications({ pool }: Database, actor: UserActor): Promise<OwnApplication[]> {
  return listApplicationsOf(pool, actor.id);
}

/** The application asks the user to sign in again. */
export async function endOwnAccess(
  database: Database,
  actor: UserActor,
  applicationId: string,
  caller: Caller,
): Promise<Result<object>> {
  if (!isSerial(applicationId)) return notThere;
  return transaction(database, async (tx): Promise<Result<object>> => {
    const ended = await deleteGrantsOf(tx, { applicationId, userSerial: actor.id });
    if (ended === 0) return notThere;
    await recordAccess(tx, 'application.access-ended', caller, {
      userSerial: actor.id,
      detail: { applicationId },
    });
    return { ok: true };
  });
}

const notThere = {
  ok: false,
  failure: failure(
    'APPLICATION_NOT_FOUND',
    'No application with this ID has access to your data. List them to see which have.',
  ),
} as const;
