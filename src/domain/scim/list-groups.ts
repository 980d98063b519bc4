import { scimLimits } from '../../contract/limits.js';
import { membersMeant, membersProblem, oneOfGroups } from '../../scim/group-filter.js';
import { groupResource } from '../../scim/group-resource.js';
import type { BoundFilter } from '../../scim/language/bound-filter.js';
import type { ListQuery, ResourceList } from '../../scim/list-query.js';
import { groupSchema } from '../../scim/schemas.js';
import { type Executor, snapshot } from '../../storage/database.js';
import {
  type AskedGroups,
  countProvisionedGroups,
  groupLookups,
  isGroupPosition,
  listProvisionedGroups,
} from '../../storage/scim/list-groups.js';
import type { LimitedDatabase } from '../database.js';
import { freshCounts } from '../directories/entries.js';
import type { Result } from '../result.js';
import { freshMembers, membersOfGroups, showsMembers } from './group-members.js';
import { type ListedType, listResources, type OrderedQuery } from './list-resources.js';
import type { ProviderRequest } from './resource-facts.js';

export async function listScimGroups(
  context: LimitedDatabase,
  query: ListQuery,
  request: ProviderRequest,
): Promise<Result<{ readonly list: ResourceList }>> {
  return listResources([groupsToList(context, query, request)], withFewGroups(query), request);
}

/** Members are many, so pages that show them are smaller. */
export function withFewGroups(query: ListQuery): ListQuery {
  if (!showsMembers(query.requested)) return query;
  return { ...query, count: Math.min(query.count, scimLimits.groupsWithMembersMax) };
}

export function groupsToList(
  { database, limits: { scimListTimeoutMs } }: LimitedDatabase,
  { requested }: Pick<ListQuery, 'requested'>,
  request: ProviderRequest,
): ListedType {
  const { clientId, visibleUsers } = request.provider;
  const facts = { clientId, baseUrl: request.baseUrl };
  const asked = async (tx: Executor, { filter }: OrderedQuery): Promise<AskedGroups> => {
    const { fresh } = await freshCounts(tx);
    const facts = { clientId, isOwn: visibleUsers === 'own', fresh };
    return { ...facts, filter: filter && (await withLookups(tx, filter, facts)) };
  };
  return {
    type: 'Group',
    schema: groupSchema,
    problem: ({ filter }) => filter && membersProblem(filter),
    list: (query, start, limit) => {
      const read = async (tx: Executor) => {
        const { sortBy, descending } = query;
        const page = { sortBy, descending, start, limit };
        const placed = await listProvisionedGroups(tx, await asked(tx, query), page);
        const serials = placed.map(({ group }) => group.serial);
        const members = showsMembers(requested)
          ? await membersOfGroups(tx, serials, await freshMembers(tx), request)
          : undefined;
        return placed.map(({ group, position }) => ({
          resource: groupResource(group, members?.get(group.serial), facts),
          position,
        }));
      };
      return snapshot(database, read, scimListTimeoutMs);
    },
    count: (query) =>
      snapshot(database, async (tx) => countProvisionedGroups(tx, await asked(tx, query)), scimListTimeoutMs),
    isPosition: ({ sortBy }, position) => isGroupPosition(facts, sortBy, position),
  };
}

/** Looks up the groups that a comparison is about, so that the others are not compared. */
async function withLookups(
  tx: Executor,
  filter: BoundFilter,
  facts: Pick<AskedGroups, 'clientId' | 'isOwn' | 'fresh'>,
): Promise<BoundFilter> {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const filters: BoundFilter[] = [];
      for (const each of filter.filters) filters.push(await withLookups(tx, each, facts));
      return { kind: filter.kind, filters };
    }
    case 'not':
      return { kind: 'not', filter: await withLookups(tx, filter.filter, facts) };
    default: {
      const members = membersMeant(filter);
      if (members && members !== 'nothing') {
        const groups: string[] = [];
        for (const value of members) groups.push(...(await groupLookups.member(tx, value, facts)));
        return oneOfGroups(groups);
      }
      const meant = await groupsMeantBy(tx, filter, facts);
      return meant ? { kind: 'and', filters: [oneOfGroups(meant), filter] } : filter;
    }
  }
}

async function groupsMeantBy(
  tx: Executor,
  filter: BoundFilter,
  { clientId, fresh }: Pick<AskedGroups, 'clientId' | 'fresh'>,
): Promise<readonly string[] | undefined> {
  if (filter.kind !== 'compare' || filter.operator !== 'eq' || typeof filter.operand !== 'string') {
    return undefined;
  }
  const [{ name }] = filter.steps;
  if (name === 'displayName') return groupLookups.displayName(tx, filter.operand, fresh);
  if (name === 'externalId') return groupLookups.externalId(tx, filter.operand, clientId);
  return undefined;
}
