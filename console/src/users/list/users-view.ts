import type { Query } from '@rollcall/client';
import { type AttributeField, attributeField, isAttributeField } from '@rollcall/sheets';
import { type Attribute, attributeName, attributeOf } from '../../components/attribute-value.js';
import { commonCopy, userPageCopy, usersCopy } from '../../copy/copy.js';
import type { Scope } from '../../session/scopes.js';
import { fieldsInTables, type ManagerField, managerField, type UserField } from '../data/user.js';
import { filterQuery, readFilters, type UserFilter, writeFilters } from '../filters/user-filters.js';

/** Filters, order and columns of the list; all of it is in the URL. */
export interface UsersView {
  readonly search: string;
  readonly filters: readonly UserFilter[];
  readonly sort: SortKey;
  readonly isDescending: boolean;
  readonly columns: readonly Column[];
}

/** Shows another view. By default, it replaces the entry in the browser's history. */
export type ShowView = (view: UsersView, options?: { readonly replace: boolean }) => void;

export const sortKeys = ['name', 'employeeID', 'createdAt'] as const;
type SortKey = (typeof sortKeys)[number] | AttributeField;
const defaultSort = 'name' satisfies SortKey;

type OwnColumn = UserField | ManagerField | 'createdAt' | 'updatedAt' | AccessColumn;
/** What the service adds only if asked to. */
type AccessColumn = 'role' | 'lastSignInAt';
const accessColumns: readonly Column[] = ['role', 'lastSignInAt'];
export type Column = OwnColumn | AttributeField;
const ownColumns: readonly OwnColumn[] = [
  ...fieldsInTables,
  managerField,
  'role',
  'lastSignInAt',
  'createdAt',
  'updatedAt',
];

const defaultColumns: readonly Column[] = ['name', 'employeeID', 'isActive', 'email', 'organizationSerial'];

export function isSortKey(name: string): name is SortKey {
  return (sortKeys as readonly string[]).includes(name) || isAttributeField(name);
}

/** Whether the service can sort by a column. */
export function isSortable(column: Column, attributes: readonly Attribute[]): column is SortKey {
  return isAttributeField(column)
    ? attributeOf(column, attributes)?.isFilterable === true
    : isSortKey(column);
}

export function allColumns(attributes: readonly Attribute[], scopes: readonly Scope[]): readonly Column[] {
  const own = ownColumns.filter((column) => column !== 'lastSignInAt' || scopes.includes('audit:read'));
  return [...own, ...attributes.map(({ key }) => attributeField(key))];
}

/** The columns of a view, without attributes that are not defined, or not for the eyes of the user. */
export function shownColumns(
  view: Pick<UsersView, 'columns'>,
  attributes: readonly Attribute[],
  scopes: readonly Scope[],
): Column[] {
  return allColumns(attributes, scopes).filter((column) => view.columns.includes(column));
}

/** Ignores unknown values. Unless the URL says which columns to show, the remembered ones are. */
export function readView(search: string, remembered: string | null = null): UsersView {
  const given = new URLSearchParams(search);
  const sort = given.get('sort') ?? '';
  const sortKey = sort.replace(/^-/, '');
  const columns = (given.get('columns') ?? remembered)?.split(',');
  return {
    search: given.get('search') ?? '',
    filters: readFilters(given),
    sort: isSortKey(sortKey) ? sortKey : defaultSort,
    isDescending: isSortKey(sortKey) && sort.startsWith('-'),
    // The name links to the user, so it always shows.
    columns: columns ? inTableOrder(['name', ...columns]) : defaultColumns,
  };
}

/** The query string, without defaults. */
export function writeView(view: UsersView): string {
  const parts = new URLSearchParams();
  if (view.search !== '') parts.set('search', view.search);
  for (const [name, value] of writeFilters(view.filters)) parts.append(name, value);
  const sort = sortOf(view);
  if (sort !== defaultSort) parts.set('sort', sort);
  const columns = columnsText(view);
  if (columns !== defaultColumns.join(',')) parts.set('columns', columns);
  return parts.toString();
}

/** The query string with the columns, even if they are the default, because others may have chosen other columns. */
export function writeWholeView(view: UsersView): string {
  const parts = new URLSearchParams(writeView(view));
  parts.set('columns', columnsText(view));
  return parts.toString();
}

/** The columns, to be remembered. */
export function columnsText({ columns }: Pick<UsersView, 'columns'>): string {
  return inTableOrder(columns).join(',');
}

/** Which users to show, for the service. */
export function matchQuery({ search, filters }: Pick<UsersView, 'search' | 'filters'>) {
  return { ...(search.trim() === '' ? {} : { search: search.trim() }), ...filterQuery(filters) };
}

/**
 * The query for the service, which depends on the visible columns only if they cost something. Unless the list was sorted otherwise, whoever
 * has the employee ID that was typed comes first.
 */
export function queryOf(view: UsersView) {
  const sort = sortOf(view);
  const exactFirst = sort === defaultSort && view.search.trim() !== '';
  // The description of the API doesn't know the attributes of an installation.
  const known = sort as NonNullable<Query<'listUsers'>['sort']>;
  const access = accessColumns.some((column) => view.columns.includes(column));
  return { sort: known, ...(exactFirst && { exactFirst }), ...(access && { access }), ...matchQuery(view) };
}

export type MatchQuery = ReturnType<typeof matchQuery>;
export type UsersQuery = ReturnType<typeof queryOf>;

/** Reverses the order, or sorts ascending by another column. */
export function toggleSort(view: UsersView, sort: SortKey): UsersView {
  return { ...view, sort, isDescending: view.sort === sort && !view.isDescending };
}

export function isFiltered({ search, filters }: UsersView): boolean {
  return search.trim() !== '' || filters.length > 0;
}

export const noFilters = { search: '', filters: [] } as const;

function sortOf({ sort, isDescending }: UsersView): SortKey | `-${SortKey}` {
  return isDescending ? `-${sort}` : sort;
}

function inTableOrder(columns: readonly string[]): Column[] {
  return [
    ...ownColumns.filter((column) => columns.includes(column)),
    ...new Set(columns.filter(isAttributeField)),
  ];
}

export function columnName(column: Column, attributes: readonly Attribute[]): string {
  if (isAttributeField(column)) return attributeName(column, attributes);
  if (column === 'lastSignInAt') return userPageCopy.lastSignIn;
  if (column === 'createdAt' || column === 'updatedAt') return usersCopy[column];
  return commonCopy.fields[column];
}
