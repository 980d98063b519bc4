import type { ListQuery, ResourceList } from '../../scim/list-query.js';
import type { LimitedDatabase } from '../database.js';
import type { Result } from '../result.js';
import { groupsToList, withFewGroups } from './list-groups.js';
import { listResources } from './list-resources.js';
import { usersToList } from './list-users.js';
import { type ProviderRequest, visibleSchema } from './resource-facts.js';

/** Finds resources of all types. Each type is one `ListedType`. */
export async function searchResources(
  context: LimitedDatabase,
  query: ListQuery,
  request: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  const visible = await visibleSchema(context.database.pool, request.caller);
  const types = [usersToList(context, visible, request), groupsToList(context, query, request)];
  return listResources(types, withFewGroups(query), request);
}
