import { isScope, type Scope, scopesOfRole } from '../../contract/scopes.js';
import { getClient } from '../../storage/access/clients.js';
import { getRole } from '../../storage/access/roles.js';
import type { CallActor } from '../../storage/changes/calls.js';
import type { Executor } from '../../storage/database.js';
import { getFeed } from '../../storage/feeds/feeds.js';
import { getUser } from '../../storage/users/read-users.js';

/**
 * What the author of a planned call may still do: never more than the token that planned it allowed. The permissions of
 * external subjects are known only from their tokens, so those count as they were.
 */
export async function currentScopes(
  executor: Executor,
  author: CallActor,
  planned: readonly string[],
): Promise<Set<Scope>> {
  const allowed = await allowedNow(executor, author);
  return new Set(planned.filter(isScope).filter((scope) => allowed === undefined || allowed.has(scope)));
}

async function allowedNow(executor: Executor, { kind, id }: CallActor): Promise<Set<string> | undefined> {
  if (kind === 'client') {
    const client = await getClient(executor, id);
    return new Set(client && !client.isDisabled ? client.scopes : []);
  }
  if (kind === 'feed') {
    const feed = await getFeed(executor, id);
    if (!feed) return new Set();
    return new Set(['users:read', 'users:write', ...(feed.writesSensitive ? ['attributes:sensitive'] : [])]);
  }
  if (kind === 'person') {
    const [user, role] = [await getUser(executor, id), await getRole(executor, id)];
    return new Set(role !== null && user?.user.isActive ? scopesOfRole[role] : []);
  }
  return undefined;
}
