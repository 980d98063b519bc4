import { limits, type Schemas } from '@rollcall/client';
import { type AttributeField, attributeField } from '@rollcall/sheets';
import type { Attribute } from '../../components/attribute-value.js';
import { dayRange } from '../../components/day-range.js';

/** Filters with one of a few values. */
export const choices = {
  status: ['active', 'inactive'],
  password: ['notChosen', 'chosen'],
  signIn: ['never', 'signedIn'],
  managerStatus: ['managerInactive', 'managerActive'],
} as const;
export type ChoiceKind = keyof typeof choices;
export type Choice = (typeof choices)[ChoiceKind][number];

export const roleValues = ['viewer', 'operator', 'administrator', 'none'] as const;
export type RoleValue = (typeof roleValues)[number];

/** In the order of the menu and of the active filters. */
export const filterKinds = [
  'status',
  'organization',
  'tag',
  'manager',
  'managerStatus',
  'role',
  'password',
  'signIn',
  'created',
  'updated',
] as const;
export type FilterKind = (typeof filterKinds)[number];

export interface ChoiceFilter {
  readonly kind: ChoiceKind;
  readonly value: Choice;
}

/** Users with any of the values, or with none of them. Managers are given by employee ID, and only the former way. */
export interface SerialsFilter {
  readonly kind: 'organization' | 'tag' | 'manager';
  readonly isNot: boolean;
  readonly values: readonly string[];
  /** Of organizations that users have: also those that are part of them. */
  readonly includesParts?: true;
}

/** Users without an organization, tags or a manager. */
export interface NoSerialsFilter {
  readonly kind: SerialsFilter['kind'];
  readonly isNone: true;
}

export interface RolesFilter {
  readonly kind: 'role';
  readonly isNot: boolean;
  readonly values: readonly RoleValue[];
}

/** Both days are included; an empty one leaves the range open. */
export interface DaysFilter {
  readonly kind: 'created' | 'updated';
  readonly from: string;
  readonly until: string;
}

/** Users with any of the values, with one in a range whose ends are included, or with any or no value at all. */
export type AttributeFilter = { readonly kind: 'attribute'; readonly key: string } & (
  | { readonly values: readonly string[] }
  | { readonly from: string; readonly until: string }
  | { readonly isSet: boolean }
);

export type UserFilter =
  | ChoiceFilter
  | SerialsFilter
  | NoSerialsFilter
  | RolesFilter
  | DaysFilter
  | AttributeFilter;
export type FilterQuery = Schemas['UserFilter'] & {
  readonly [Name in AttributeField]?: string | boolean | readonly string[];
};

const { filterValuesMax, searchMaxLength } = limits;

/** Ignores unknown values. At most one filter of each kind is returned, or two if one of them is negated. */
export function readFilters(given: URLSearchParams): UserFilter[] {
  const known = filterKinds.flatMap((kind) => readKind(given, kind));
  return [...known, ...readAttributes(given)].filter((filter) => !isEmptyFilter(filter));
}

const attributeParameter = /^attributes\.([a-z][A-Za-z0-9]*)(?:\.(?:from|to|isSet))?$/;

/** One filter of each attribute. They have the same names in the URL as for the service. */
function readAttributes(given: URLSearchParams): AttributeFilter[] {
  const keys = new Set([...given.keys()].flatMap((name) => attributeParameter.exec(name)?.[1] ?? []));
  return [...keys].map((key): AttributeFilter => {
    const field = attributeField(key);
    const isSet = given.get(`${field}.isSet`);
    if (isSet === 'true' || isSet === 'false') return { kind: 'attribute', key, isSet: isSet === 'true' };
    const [from, until] = [given.get(`${field}.from`) ?? '', given.get(`${field}.to`) ?? ''];
    if (from !== '' || until !== '') return { kind: 'attribute', key, from, until };
    return { kind: 'attribute', key, values: textsIn(given, field) };
  });
}

function readKind(given: URLSearchParams, kind: FilterKind): UserFilter[] {
  switch (kind) {
    case 'organization':
    case 'tag':
      if (given.get(none[kind]) === 'true') return [{ kind, isNone: true }];
      return [false, true].map((isNot) => ({
        kind,
        isNot,
        values: serialsIn(given, kind, isNot),
        ...(kind === 'organization' && !isNot && given.get(parts) === 'true' && { includesParts: true }),
      }));
    case 'manager':
      if (given.get(none[kind]) === 'true') return [{ kind, isNone: true }];
      return [{ kind, isNot: false, values: textsIn(given, kind) }];
    case 'role':
      return [false, true].map((isNot) => ({ kind, isNot, values: rolesIn(given, isNot) }));
    case 'created':
    case 'updated':
      return [{ kind, from: dayIn(given, `${kind}From`), until: dayIn(given, `${kind}Until`) }];
    default: {
      const value = choices[kind].find((known) => known === given.get(kind));
      return value === undefined ? [] : [{ kind, value }];
    }
  }
}

function serialsIn(given: URLSearchParams, kind: 'organization' | 'tag', isNot: boolean): string[] {
  return textsIn(given, parameterOf(kind, isNot));
}

function textsIn(given: URLSearchParams, name: string): string[] {
  const texts = given.getAll(name).map((text) => text.trim());
  const valid = texts.filter((text) => text !== '' && text.length <= searchMaxLength);
  return [...new Set(valid)].slice(0, filterValuesMax);
}

function rolesIn(given: URLSearchParams, isNot: boolean): RoleValue[] {
  const texts = given.getAll(parameterOf('role', isNot));
  return roleValues.filter((role) => texts.includes(role));
}

function dayIn(given: URLSearchParams, name: string): string {
  const day = given.get(name) ?? '';
  return dayRange(day, null).since === undefined ? '' : day;
}

const parts = 'includeParts';
const none = { organization: 'noOrganization', tag: 'noTags', manager: 'noManager' } as const;
const negated = {
  organization: 'notOrganization',
  tag: 'notTag',
  role: 'notRole',
} as const;

function parameterOf(kind: keyof typeof negated | 'manager', isNot: boolean): string {
  return isNot && kind !== 'manager' ? negated[kind] : kind;
}

/** The names and values for the URL. */
export function writeFilters(filters: readonly UserFilter[]): [name: string, value: string][] {
  return filters.flatMap((filter): [string, string][] => {
    switch (filter.kind) {
      case 'organization':
      case 'tag':
      case 'manager':
      case 'role':
        if ('isNone' in filter) return [[none[filter.kind], 'true']];
        return [
          ...filter.values.map((value): [string, string] => [parameterOf(filter.kind, filter.isNot), value]),
          ...('includesParts' in filter ? [[parts, 'true'] as [string, string]] : []),
        ];
      case 'created':
      case 'updated': {
        const days: [string, string][] = [
          [`${filter.kind}From`, filter.from],
          [`${filter.kind}Until`, filter.until],
        ];
        return days.filter(([, day]) => day !== '');
      }
      case 'attribute':
        return writeAttribute(filter);
      default:
        return [[filter.kind, filter.value]];
    }
  });
}

function writeAttribute(filter: AttributeFilter): [name: string, value: string][] {
  const field = attributeField(filter.key);
  if ('isSet' in filter) return [[`${field}.isSet`, String(filter.isSet)]];
  if ('values' in filter) return filter.values.map((value): [string, string] => [field, value]);
  const ends: [string, string][] = [
    [`${field}.from`, filter.from],
    [`${field}.to`, filter.until],
  ];
  return ends.filter(([, end]) => end !== '');
}

/** The parameters for the service. */
export function filterQuery(filters: readonly UserFilter[]): FilterQuery {
  return Object.assign({}, ...filters.map(parametersFor));
}

function parametersFor(filter: UserFilter): FilterQuery {
  switch (filter.kind) {
    case 'status':
      return { isActive: filter.value === 'active' };
    case 'password':
      return { mustChangePassword: filter.value === 'notChosen' };
    case 'signIn':
      return { neverSignedIn: filter.value === 'never' };
    case 'managerStatus':
      return { managerIsActive: filter.value === 'managerActive' };
    case 'manager':
      return 'isNone' in filter ? { hasManager: false } : { manager: [...filter.values] };
    case 'organization':
      if ('isNone' in filter) return { hasOrganization: false };
      return {
        [filter.isNot ? 'notOrganizationSerial' : 'organizationSerial']: filter.values,
        ...(filter.includesParts && { includeParts: true }),
      };
    case 'tag':
      if ('isNone' in filter) return { hasTags: false };
      return { [filter.isNot ? 'notTagSerial' : 'tagSerial']: filter.values };
    case 'role':
      return { [filter.isNot ? 'notRole' : 'role']: filter.values };
    case 'created': {
      const { since, until } = dayRange(filter.from, filter.until);
      return { ...(since && { createdSince: since }), ...(until && { createdUntil: until }) };
    }
    case 'updated': {
      const { since, until } = dayRange(filter.from, filter.until);
      return { ...(since && { updatedSince: since }), ...(until && { updatedUntil: until }) };
    }
    case 'attribute': {
      const field = attributeField(filter.key);
      if ('isSet' in filter) return { [attributeField(`${filter.key}.isSet`)]: filter.isSet };
      return 'values' in filter ? { [field]: filter.values } : Object.fromEntries(writeAttribute(filter));
    }
  }
}

/** What the editor of a new filter starts with. A list can be extended, so it starts empty. */
export function initialFilter(kind: FilterKind, filters: readonly UserFilter[]): UserFilter {
  switch (kind) {
    case 'organization':
    case 'tag':
    case 'manager':
      return { kind, isNot: false, values: [] };
    case 'role':
      return { kind, isNot: false, values: [] };
    case 'created':
    case 'updated':
      return filters.find((filter) => filter.kind === kind) ?? { kind, from: '', until: '' };
    default:
      return filters.find((filter) => filter.kind === kind) ?? { kind, value: choices[kind][0] };
  }
}

/** The same for an attribute: numbers and days are filtered by a range. */
export function initialAttributeFilter(
  { key, type }: Pick<Attribute, 'key' | 'type'>,
  filters: readonly UserFilter[],
): AttributeFilter {
  const present = filters.find((filter) => filter.kind === 'attribute' && filter.key === key);
  if (type === 'boolean') {
    return present?.kind === 'attribute' ? present : { kind: 'attribute', key, values: ['true'] };
  }
  if (type !== 'number' && type !== 'date') return { kind: 'attribute', key, values: [] };
  return present?.kind === 'attribute' ? present : { kind: 'attribute', key, from: '', until: '' };
}

/** Adds a value that was typed but not confirmed. */
export function withTyped(filter: UserFilter, typed: string): UserFilter {
  const value = typed.trim();
  if (value === '' || !('values' in filter) || filter.kind === 'role') return filter;
  return { ...filter, values: [...new Set([...filter.values, value])].slice(0, filterValuesMax) };
}

export function isEmptyFilter(filter: UserFilter): boolean {
  if ('values' in filter) return filter.values.length === 0;
  return 'from' in filter && filter.from === '' && filter.until === '';
}

/** Identifies a filter among the active ones. */
export function filterId(filter: UserFilter): string {
  if (filter.kind === 'attribute') return attributeField(filter.key);
  if ('isNone' in filter) return none[filter.kind];
  return 'isNot' in filter ? parameterOf(filter.kind, filter.isNot) : filter.kind;
}

export function isSameFilter(one: UserFilter, other: UserFilter): boolean {
  return String(writeFilters([one])) === String(writeFilters([other]));
}

/**
 * Lists of the same kind are combined; other filters replace each other, and so do a list and "none". An empty filter
 * adds nothing.
 */
export function addFilter(filters: readonly UserFilter[], added: UserFilter): UserFilter[] {
  if (isEmptyFilter(added)) return [...filters];
  const id = filterId(added);
  const present = filters.find((filter) => filterId(filter) === id);
  const combined = present ? combine(present, added) : added;
  const others = filters.filter((filter) => filter !== present && !isOpposite(filter, added));
  return inOrder([...others, combined]);
}

function isOpposite(one: UserFilter, other: UserFilter): boolean {
  return one.kind === other.kind && 'isNone' in one !== 'isNone' in other;
}

export function removeFilter(filters: readonly UserFilter[], removed: UserFilter): UserFilter[] {
  return filters.filter((filter) => filterId(filter) !== filterId(removed));
}

export function replaceFilter(
  filters: readonly UserFilter[],
  before: UserFilter,
  after: UserFilter,
): UserFilter[] {
  return addFilter(removeFilter(filters, before), after);
}

function combine(present: UserFilter, added: UserFilter): UserFilter {
  if (present.kind === 'role' && added.kind === 'role') {
    const values = [...present.values, ...added.values];
    return { ...added, values: roleValues.filter((role) => values.includes(role)) };
  }
  if (!('values' in present && 'values' in added) || added.kind === 'role') return added;
  const values = [...new Set([...present.values, ...added.values])];
  const includesParts = 'includesParts' in present && { includesParts: true as const };
  return { ...added, ...includesParts, values: values.slice(0, filterValuesMax) };
}

function inOrder(filters: readonly UserFilter[]): UserFilter[] {
  const rank = (filter: UserFilter) =>
    filter.kind === 'attribute'
      ? 2 * filterKinds.length
      : 2 * filterKinds.indexOf(filter.kind) + ('isNot' in filter && filter.isNot ? 1 : 0);
  return filters.toSorted((a, b) => rank(a) - rank(b));
}
