import { errorFrom, RollcallError } from '@rollcall/client';
import { rollcall } from '../../session/api.js';
import { type Creation, userWithoutConflict } from './user-without-conflict.js';

/** Asks the service for the other conflict, without creating anyone. */
export async function findOtherConflict(
  creation: Creation,
  error: unknown,
): Promise<RollcallError | undefined> {
  const item = userWithoutConflict(creation, error, crypto.getRandomValues(new Uint32Array(4)).join(''));
  if (!item) return undefined;
  const { body } = await rollcall.call('createUsersBulk', {
    query: { dryRun: true },
    body: { items: [item] },
  });
  const [failure] = body.data.failedItems;
  return failure && new RollcallError(409, errorFrom(failure.error));
}
