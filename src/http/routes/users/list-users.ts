import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { UserListReply } from '../../../contract/users.js';
import { loadAttributes } from '../../../domain/attributes/attribute-facts.js';
import { attributePrefix, readAttributeSort } from '../../../domain/attributes/attribute-filters.js';
import { showUsers } from '../../../domain/attributes/show-users.js';
import { type Actor, maySeeSensitive } from '../../../domain/caller.js';
import type { Database } from '../../../domain/database.js';
import { quoted } from '../../../domain/read-fields.js';
import { countUsers, exactTotalMax, precisions } from '../../../domain/users/count-users.js';
import {
  type Listed,
  type ListRequest,
  listUsers,
  type Sort,
  type SortKey,
  sortKeys,
  type UserListContext,
} from '../../../domain/users/list-users.js';
import { withAccess } from '../../../domain/users/listed-access.js';
import type { MatchFilters } from '../../../domain/users/matching-users.js';
import { suggestSearches } from '../../../domain/users/suggest-searches.js';
import { listRoute } from '../../list-route.js';
import {
  choiceParameter,
  flagParameter,
  type GivenValues,
  invalidParameter,
  type Parameter,
  type ParameterValues,
} from '../../query.js';
import { accepted } from '../../request-rejected.js';
import {
  attributeFilterParameters,
  attributeFiltersIn,
  givenFilters,
  readUserFilters,
  userFilterParameters,
} from '../../user-filters.js';
import { exampleUserView } from './examples.js';

const fixedOrders = choiceParameter(
  sortKeys.flatMap((key) => [key, `-${key}`] as const),
  undefined, // not the same as createdAt: see exactFirst
);
const sortParameter: Parameter<string | undefined> = {
  schema: Type.Union(
    [
      fixedOrders.schema,
      Type.String({ pattern: '^-?attributes\\.[a-z][A-Za-z0-9]*$', examples: ['attributes.hiredOn'] }),
    ],
    {
      default: 'createdAt',
      description:
        'A leading - sorts in descending order. Sorted by createdAt, users never change position, so paging returns every user once, whatever changes meanwhile. `attributes.<key>` sorts by an attribute that is filterable and not a list: texts and choices like names, and users without a value last.',
    },
  ),
  otherwise: undefined,
  read: (text, name) => (attributeIn(text) === undefined ? fixedOrders.read(text, name) : text),
};

const parameters = {
  sort: sortParameter,
  exactFirst: flagParameter(
    'true: users whose complete employee ID is the search come first, whatever the sort order, with or without leading zeros. By default true if `sort` is omitted, and false otherwise.',
    undefined,
  ),
  total: choiceParameter(
    precisions,
    undefined,
    `Adds how many users match. An approximate total is exact up to ${exactTotalMax.toLocaleString('en')} users, and an estimate above. A search has none while attributes are being indexed.`,
  ),
  access: flagParameter(
    'true: adds the `role` of each user and, for callers with audit:read, `lastSignInAt`.',
    false,
  ),
  suggest: flagParameter(
    'true: adds `suggestions` if the first page of a search has few users or none.',
    false,
  ),
};

export function listUsersRoute(app: FastifyInstance, context: UserListContext): void {
  listRoute(app, context.database, {
    url: '/service/users',
    scope: 'users:read',
    operationId: 'listUsers',
    summary: 'List and search users',
    description: 'All filters must match. Every page costs the same, however far into the list.',
    tag: 'Users',
    noun: 'Users',
    reply: UserListReply,
    example: exampleUserView,
    examplePage: { isComplete: true },
    parameters,
    rawParameters: userFilterParameters,
    dottedParameters: attributeFilterParameters,
    page: async (database, page, { parameters, values, actor }) => {
      const filters = await filtersIn(database, values, actor);
      const request = { ...(await orderOf(database, parameters, actor)), filters, ...page };
      const listed = await listWithExtras({ ...context, database }, request, parameters);
      if (!listed.ok) return listed;
      const shown = await showUsers(database.pool, listed.items, actor);
      const items = parameters.access ? await withAccess(database.pool, shown, actor) : shown;
      return { ...listed, items };
    },
  });
}

async function listWithExtras(
  context: UserListContext,
  request: ListRequest,
  { total: precision, suggest }: Pick<ParameterValues<typeof parameters>, 'total' | 'suggest'>,
): Promise<Listed> {
  const listed = await listUsers(context, request);
  if (!listed.ok) return listed;
  const suggestions = suggest ? { suggestions: await suggestSearches(context, request, listed) } : {};
  const counted = precision && (await countUsers(context.database, request.filters, precision));
  return { ...listed, ...suggestions, ...(counted && { total: accepted(counted) }) };
}

/** By default, exact matches come first unless the caller asks for another order. */
async function orderOf(
  database: Database,
  { sort: given, exactFirst = given === undefined }: ParameterValues<typeof parameters>,
  actor: Reader,
) {
  const text = given ?? 'createdAt';
  const attribute = attributeIn(text);
  const sort = attribute
    ? await attributeOrder(database, attribute, actor)
    : (text.replace(/^-/, '') as SortKey);
  return { sort, descending: text.startsWith('-'), exactFirst };
}

type Reader = Pick<Actor, 'scopes'> | undefined;

/** The name of an attribute to sort by, such as attributes.hiredOn. */
function attributeIn(sort: string): string | undefined {
  const name = sort.replace(/^-/, '');
  return name.startsWith(attributePrefix) ? name : undefined;
}

async function attributeOrder(database: Database, name: string, actor: Reader): Promise<Sort> {
  const sort = readAttributeSort(name, await loadAttributes(database.pool), maySeeSensitive(actor));
  if (typeof sort === 'string') throw invalidParameter('sort', `names "${quoted(name)}", which ${sort}`);
  return sort;
}

async function filtersIn(database: Database, sent: GivenValues, actor: Reader): Promise<MatchFilters> {
  const read = readUserFilters(givenFilters(sent));
  if ('problem' in read) throw invalidParameter(read.name, read.problem);
  const byAttributes = await attributeFiltersIn(database, sent, actor);
  if ('problem' in byAttributes) throw invalidParameter(quoted(byAttributes.name), byAttributes.problem);
  return { ...read.filters, ...byAttributes };
}
