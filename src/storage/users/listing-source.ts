import type { Parameter } from '../sql.js';
import {
  type AttributeFilter,
  type AttributeKey,
  bySelectivity,
  listedAttributeConditions,
  listedConditions,
  listedValue,
} from './attribute-conditions.js';
import type { Matching } from './matching-users.js';
import { isByAttribute, type Sort } from './page-order.js';
import { allOf, type UserFilters } from './user-conditions.js';

/** What a query over the index reads, under the name `user_listing`: the listing, or the rows of one attribute. */
export interface ListingSource {
  /** The filters that are left to be checked. */
  readonly besides: UserFilters;
  from(parameter: Parameter): string;
}

type Filtered = Pick<Matching, 'filters' | 'search'>;
type Sorted = Filtered & { readonly sort: Sort };

/**
 * To be read in the order of a page until it is full. The rows of an attribute are in the order of its values, and those
 * of one value in the order of creation. So they lead to the page if users are sorted by the attribute, or by creation and
 * filtered by one value.
 */
export function sourceInOrder({ filters, search, sort }: Sorted): ListingSource {
  const { attributes = [] } = filters;
  if (isByAttribute(sort)) return rowsOf(sort, { filters, search }, filtersOf(sort, filters), inOrder);
  const led = sort === 'createdAt' ? attributes.find(({ values }) => values?.length === 1) : undefined;
  return led ? rowsOf(led, { filters, search }, [led], inOrder) : listing(filters);
}

/** For all users who match, each once. */
export function sourceOfMatches({ filters, search }: Filtered): ListingSource {
  const [led] = bySelectivity(filters.attributes ?? []);
  return led ? rowsOf(led, { filters, search }, [led], inAnyOrder) : withoutValues(filters);
}

/** The same with the value of the attribute to sort by. */
export function sortableMatches({ filters, search, sort }: Sorted): ListingSource {
  if (!isByAttribute(sort))
    return sort === 'createdAt' ? sourceOfMatches({ filters, search }) : withoutValues(filters);
  const own = filtersOf(sort, filters);
  const matches = { filters: filtersBesides(own, filters), search };
  const { besides, from } = sourceOfMatches(matches);
  const columns = needsListing(besides, search) ? `, ${listingColumns}` : '';
  return {
    besides,
    // Looks up the values of users one by one, because the planner would rather read those of all users.
    from: (
      parameter,
    ) => `(SELECT user_listing.serial${columns}, sorted.sort_key FROM ${from(parameter)} CROSS JOIN LATERAL (
      SELECT ${listedValue(sort)} AS sort_key FROM listed_attributes AS listed
      WHERE listed.user_serial = user_listing.serial AND ${conditionsOf(sort, own, parameter)} OFFSET 0) AS sorted
      ) AS user_listing`,
  };
}

function filtersOf({ attributeId }: AttributeKey, { attributes = [] }: UserFilters): AttributeFilter[] {
  return attributes.filter((filter) => filter.attributeId === attributeId);
}

function filtersBesides(own: readonly AttributeFilter[], filters: UserFilters): UserFilters {
  const { attributes = [], ...others } = filters;
  const rest = attributes.filter((filter) => !own.includes(filter));
  return rest.length === 0 ? others : { ...others, attributes: rest };
}

const listing = (besides: UserFilters): ListingSource => ({ besides, from: () => 'user_listing' });

/**
 * Users without a value are found by comparing all users with all values. With OFFSET, the planner can't hope to find
 * enough of them early, and look up the values of one user after the other.
 */
function withoutValues(filters: UserFilters): ListingSource {
  const unset = (filters.attributes ?? []).filter(({ isSet }) => isSet === false);
  if (unset.length === 0) return listing(filters);
  const conditions = (parameter: Parameter) =>
    allOf(listedAttributeConditions(unset, 'user_listing', parameter, 'together'));
  return {
    besides: filtersBesides(unset, filters),
    from: (parameter) =>
      `(SELECT * FROM user_listing WHERE ${conditions(parameter)} OFFSET 0) AS user_listing`,
  };
}

/** The rows of an attribute that satisfy some of the filters. They know as much about users as the others need. */
function rowsOf(
  key: AttributeKey,
  { filters, search }: Filtered,
  own: readonly AttributeFilter[],
  join: string,
): ListingSource {
  const besides = filtersBesides(own, filters);
  const isJoined = needsListing(besides, search);
  const columns = isJoined ? `, ${listingColumns}` : '';
  // Of several texts, a user's list can have more than one.
  const isRepeated = key.type === 'list' && own.some(({ values = [] }) => values.length > 1);
  const serial = isRepeated
    ? 'DISTINCT listed.user_serial AS serial'
    : `listed.user_serial AS serial, ${listedValue(key)} AS sort_key`;
  return {
    besides,
    from: (parameter) => `(SELECT ${serial}${columns} FROM listed_attributes AS listed ${isJoined ? join : ''}
      WHERE ${conditionsOf(key, own, parameter)}) AS user_listing`,
  };
}

function needsListing(besides: UserFilters, search: Filtered['search']): boolean {
  return search !== undefined || listingFilters.some((name) => name in besides);
}

function conditionsOf(key: AttributeKey, own: readonly AttributeFilter[], parameter: Parameter): string {
  const conditions = own.map((filter) =>
    filter.isSet === false ? 'false' : listedConditions(filter, parameter),
  );
  // The index of numbers has nothing else.
  if (key.type === 'number') conditions.push('listed.number IS NOT NULL');
  return allOf([`listed.attribute_id = ${key.attributeId}`, ...conditions]);
}

const listingFilters: readonly (keyof UserFilters)[] = [
  ...(['isActive', 'organizationSerials', 'notOrganizationSerials', 'hasOrganization'] as const),
  ...(['tagSerials', 'notTagSerials', 'hasTags', 'hasManager'] as const),
];
const listingColumns = ['is_active', 'organization_serial', 'tag_serials', 'has_manager', 'words']
  .map((column) => `user_listing.${column}`)
  .join(', ');

const inAnyOrder = 'JOIN user_listing ON user_listing.serial = listed.user_serial';

/** The subquery keeps the planner from reading everybody to find those who come first. */
const inOrder = `CROSS JOIN LATERAL
  (SELECT * FROM user_listing WHERE user_listing.serial = listed.user_serial OFFSET 0) AS user_listing`;
