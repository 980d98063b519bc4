/** Filters, order and columns of the list; all of it is in the URL. */
export interface UsersView {
  readonly search: string;
  readonly status: Status;
  readonly organization: string;
  readonly tag: string;
  readonly sort: SortKey;
  readonly isDescending: boolean;
  readonly columns: readonly Column[];
}

export const statuses = ['all', 'active', 'inactive'] as const;
export type Status = (typeof statuses)[number];

export const sortKeys = ['name', 'employeeID', 'createdAt'] as const;
export type SortKey = (typeof sortKeys)[number];

export const allColumns = [
  'name',
  'employeeID',
  'username',
  'email',
  'phone',
  'isActive',
  'organizationSerial',
  'tagSerials',
  'createdAt',
  'updatedAt',
] as const;
export type Column = (typeof allColumns)[number];

const defaultColumns: readonly Column[] = ['name', 'employeeID', 'email', 'phone', 'isActive'];

export function isSortKey(name: string): name is SortKey {
  return (sortKeys as readonly string[]).includes(name);
}

/** Ignores unknown values. */
export function readView(search: string): UsersView {
  const given = new URLSearchParams(search);
  const sort = given.get('sort') ?? '';
  const sortKey = sort.replace(/^-/, '');
  const columns = given.get('columns')?.split(',');
  const status = given.get('status') ?? '';
  return {
    search: given.get('search') ?? '',
    status: statuses.find((known) => known === status) ?? 'all',
    organization: given.get('organization') ?? '',
    tag: given.get('tag') ?? '',
    sort: isSortKey(sortKey) ? sortKey : 'name',
    isDescending: isSortKey(sortKey) && sort.startsWith('-'),
    // The name links to the user, so it always shows.
    columns: columns ? inTableOrder(['name', ...columns]) : defaultColumns,
  };
}

/** The query string, without defaults. */
export function writeView(view: UsersView): string {
  const parts = new URLSearchParams();
  if (view.search !== '') parts.set('search', view.search);
  if (view.status !== 'all') parts.set('status', view.status);
  if (view.organization !== '') parts.set('organization', view.organization);
  if (view.tag !== '') parts.set('tag', view.tag);
  const sort = sortOf(view);
  if (sort !== 'name') parts.set('sort', sort);
  const columns = inTableOrder(view.columns).join(',');
  if (columns !== defaultColumns.join(',')) parts.set('columns', columns);
  return parts.toString();
}

/** The query for the service, which does not depend on the visible columns. */
export function queryOf(view: UsersView) {
  return {
    sort: sortOf(view),
    ...(view.search.trim() === '' ? {} : { search: view.search.trim() }),
    ...(view.status === 'all' ? {} : { isActive: view.status === 'active' }),
    ...(view.organization.trim() === '' ? {} : { organizationSerial: view.organization.trim() }),
    ...(view.tag.trim() === '' ? {} : { tagSerial: view.tag.trim() }),
  };
}

export type UsersQuery = ReturnType<typeof queryOf>;

/** Reverses the order, or sorts ascending by another column. */
export function toggleSort(view: UsersView, sort: SortKey): UsersView {
  return { ...view, sort, isDescending: view.sort === sort && !view.isDescending };
}

export function isFiltered({ search, status, organization, tag }: UsersView): boolean {
  return [search, organization, tag].some((text) => text.trim() !== '') || status !== 'all';
}

export const noFilters = { search: '', status: 'all', organization: '', tag: '' } as const;

function sortOf({ sort, isDescending }: UsersView): SortKey | `-${SortKey}` {
  return isDescending ? `-${sort}` : sort;
}

function inTableOrder(columns: readonly string[]): Column[] {
  return allColumns.filter((column) => columns.includes(column));
}
