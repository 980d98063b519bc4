import type { ListQuery, ResourceList } from '../../scim/list-query.js';
import type { Result } from '../result.js';
import { groupsToList, withFewGroups } from './list-groups.js';
import { listResources } from './list-resources.js';
import { type ScimListContext, usersToList } from './list-users.js';
import { type ProviderRequest, visibleSchema } from './resource-facts.js';

/** Finds resources of all types. Each type is one `ListedType`. */
export async function searchResources(
  { database }: ScimListContext,
  query: ListQuery,
  request: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  const { pool } = database;
  const visible = await visibleSchema(pool, request.caller);
  const types = [usersToList(pool, visible, request), groupsToList(database, query, request)];
  return listResources(types, withFewGroups(query), request);
}
