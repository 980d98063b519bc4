import type { BoundFilter } from '../../scim/language/bound-filter.js';
import type { ListQuery, ResourceList } from '../../scim/list-query.js';
import { type Executor, snapshot } from '../../storage/database.js';
import {
  countProvisionedUsers,
  isUserPosition,
  listProvisionedUsers,
  type ProvisionedUsers,
} from '../../storage/scim/list-users.js';
import type { LimitedDatabase } from '../database.js';
import type { Result } from '../result.js';
import { freshMembers } from './group-members.js';
import { type ListedType, listResources, type OrderedQuery } from './list-resources.js';
import { type ProviderRequest, userResources, type VisibleSchema, visibleSchema } from './resource-facts.js';

/** Users as resources: those whom no provider has deleted and, if the settings say so, whom the provider manages. */
export async function listScimUsers(
  context: LimitedDatabase,
  query: ListQuery,
  request: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  const visible = await visibleSchema(context.database.pool, request.caller);
  return listResources([usersToList(context, visible, request)], query, request);
}

export function usersToList(
  { database, limits: { scimListTimeoutMs } }: LimitedDatabase,
  visible: VisibleSchema,
  request: ProviderRequest,
): ListedType {
  const { clientId, visibleUsers } = request.provider;
  const { company, schema } = visible;
  const facts = { clientId, baseUrl: request.baseUrl, company };
  const read = <T>(work: (tx: Executor) => Promise<T>) => snapshot(database, work, scimListTimeoutMs);
  const asked = async (tx: Executor, { filter }: OrderedQuery, usesIndex: boolean) => ({
    ...{ ...facts, filter, isOwn: visibleUsers === 'own' },
    fresh: usesIndex ? await freshMembers(tx) : undefined,
  });
  return {
    type: 'User',
    schema,
    list: (query, start, limit) =>
      read(async (tx) => {
        const { sortBy, descending, filter } = query;
        const page = { sortBy, descending, limit, start };
        const wanted: ProvisionedUsers = await asked(tx, query, namesGroups(filter));
        const users = await listProvisionedUsers(tx, wanted, page);
        const resources = await userResources(tx, users, visible, request);
        return users.flatMap(({ position }, index) => {
          const resource = resources[index]?.resource;
          return resource ? [{ resource, position }] : [];
        });
      }),
    count: (query) => read(async (tx) => countProvisionedUsers(tx, await asked(tx, query, true))),
    isPosition: ({ sortBy }, position) => isUserPosition(facts, sortBy, position),
  };
}

function namesGroups(filter: BoundFilter | undefined): boolean {
  if (filter === undefined) return false;
  switch (filter.kind) {
    case 'not':
      return namesGroups(filter.filter);
    case 'and':
    case 'or':
      return filter.filters.some(namesGroups);
    default:
      return filter.steps[0].name === 'groups';
  }
}
