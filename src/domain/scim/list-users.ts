import type { ListQuery, ResourceList } from '../../scim/list-query.js';
import type { Database, Executor } from '../../storage/database.js';
import {
  countProvisionedUsers,
  isUserPosition,
  listProvisionedUsers,
  type ProvisionedUsers,
} from '../../storage/scim/list-users.js';
import type { Result } from '../result.js';
import { type ListedType, listResources, type OrderedQuery } from './list-resources.js';
import { type ProviderRequest, userResources, type VisibleSchema, visibleSchema } from './resource-facts.js';

export interface ScimListContext {
  readonly database: Database;
}

/** Users as resources: those whom no provider has deleted and, if the settings say so, whom the provider manages. */
export async function listScimUsers(
  { database: { pool } }: ScimListContext,
  query: ListQuery,
  request: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  const visible = await visibleSchema(pool, request.caller);
  return listResources([usersToList(pool, visible, request)], query, request);
}

export function usersToList(
  executor: Executor,
  visible: VisibleSchema,
  request: ProviderRequest,
): ListedType {
  const { clientId, visibleUsers } = request.provider;
  const { company, schema } = visible;
  const facts = { clientId, baseUrl: request.baseUrl, company };
  const asked = ({ filter }: OrderedQuery): ProvisionedUsers => ({
    ...{ ...facts, filter, isOwn: visibleUsers === 'own' },
  });
  return {
    type: 'User',
    schema,
    async list(query, start, limit) {
      const { sortBy, descending } = query;
      const page = { sortBy, descending, limit, start };
      const users = await listProvisionedUsers(executor, asked(query), page);
      const resources = await userResources(executor, users, visible, request);
      return users.flatMap(({ position }, index) => {
        const resource = resources[index]?.resource;
        return resource ? [{ resource, position }] : [];
      });
    },
    count: (query) => countProvisionedUsers(executor, asked(query)),
    isPosition: ({ sortBy }, position) => isUserPosition(facts, sortBy, position),
  };
}
