import type { Attribute } from '../../contract/attributes.js';
import { type Failure, failure } from '../../contract/errors.js';
import {
  listAttributes,
  listAttributeUsers,
  lockAttributes,
  deleteAttribute as removeAttribute,
} from '../../storage/attributes/attributes.js';
import { type Executor, transaction } from '../../storage/database.js';
import { audited, foundAttribute } from '../attributes/attributes.js';
import { recordAccess } from '../audit/access-event.js';
import { CallRejected } from '../bulk/call-errors.js';
import type { Caller } from '../caller.js';
import { accept } from '../read-fields.js';
import type { Result } from '../result.js';
import { type MatchingContext, updateSelected } from './update-matching.js';

export interface DeletedAttribute {
  readonly key: string;
  /** How many users have, or had, a value. */
  readonly users: number;
  /** Cleared the values. */
  readonly callId?: string;
}

/** How many users have a value, without changing anything. */
export async function previewDeletion(
  { database }: Pick<MatchingContext, 'database'>,
  key: string,
): Promise<Result<{ deleted: DeletedAttribute }>> {
  const found = foundAttribute(await listAttributes(database.pool), key);
  if (!found.ok) return found;
  const { length: users } = await listAttributeUsers(database.pool, found.attribute.id);
  return { ok: true, deleted: { key: found.attribute.key, users } };
}

/** Clears the values in a bulk call. Undoing it defines the attribute again. */
export async function deleteAttribute(
  context: MatchingContext,
  key: string,
  confirmed: number | undefined,
  caller: Caller,
): Promise<Result<{ deleted: DeletedAttribute }>> {
  const { database } = context;
  const found = foundAttribute(await listAttributes(database.pool), key);
  if (!found.ok) return found;
  const { attribute } = found;
  const serials = await listAttributeUsers(database.pool, attribute.id);
  const users = serials.length;
  if (users !== (confirmed ?? 0)) return { ok: false, failure: inUse(attribute, users) };
  const known = new Set(serials);
  const remove = async (tx: Executor): Promise<Failure | undefined> => {
    // From here on, nobody stores a value. Some may have done so since the users were counted.
    await lockAttributes(tx);
    const now = await listAttributeUsers(tx, attribute.id);
    const added = now.filter((serial) => !known.has(serial)).length;
    if (added > 0) return inUse(attribute, users + added);
    await removeAttribute(tx, attribute.id);
    await recordAccess(tx, 'attribute.deleted', caller, { detail: audited(attribute) });
    return undefined;
  };
  if (users === 0) {
    const problem = await transaction(database, remove);
    return problem ? { ok: false, failure: problem } : { ok: true, deleted: { key: attribute.key, users } };
  }
  const update = {
    kind: 'delete-attribute',
    patch: { attributes: { [attribute.id]: null } },
    alongside: async (tx: Executor) => {
      const problem = await remove(tx);
      if (problem) throw new CallRejected(problem);
    },
  } as const;
  const cleared = await updateSelected(context, update, serials.map(accept), { caller, effects: false });
  if (!cleared.ok) return cleared;
  return { ok: true, deleted: { key: attribute.key, users, callId: cleared.callId } };
}

function inUse({ key }: Attribute, count: number): Failure {
  const have = count === 0 ? 'No user has' : count === 1 ? '1 user has' : `${count} users have`;
  return failure(
    'ATTRIBUTE_IN_USE',
    `${have} a value of "${key}". Nothing was changed. To clear the values and delete the attribute, resend with ?confirm=${count}; to keep them, retire it.`,
    { count },
  );
}
