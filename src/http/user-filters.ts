import { type TSchema, Type } from 'typebox';
import { withoutNul } from '../contract/fields.js';
import { fieldLimits, filterValuesMax, selectedUsersMax } from '../contract/limits.js';
import { roles } from '../contract/scopes.js';
import { readTime } from '../contract/times.js';
import { loadAttributes } from '../domain/attributes/attribute-facts.js';
import {
  type AttributeFilter,
  attributePrefix,
  type FilterProblem,
  readAttributeFilters,
} from '../domain/attributes/attribute-filters.js';
import { type Actor, maySeeSensitive } from '../domain/caller.js';
import type { Database } from '../domain/database.js';
import { parseSearch } from '../domain/indexing/search-query.js';
import { isSerial } from '../domain/serial.js';
import type { MatchFilters, RoleFilter } from '../domain/users/matching-users.js';
import { type Parameter, textParameter, textProblem, timeParameter, timeRule } from './query.js';

const roleFilters = [...roles, 'none'] as const satisfies readonly RoleFilter[];

const several = (
  description: string,
  value: TSchema,
  repeated = 'match any of several values',
  maxItems = filterValuesMax,
) =>
  Type.Optional(
    Type.Union([value, Type.Array(value, { minItems: 1, maxItems })], {
      description: `${description} Repeat to ${repeated}.`,
    }),
  );
const text = (example: string) =>
  Type.String({
    pattern: withoutNul.optional,
    maxLength: fieldLimits.searchMaxLength,
    examples: [example],
  });
const role = Type.String({ enum: [...roleFilters] });
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const optional = ({ schema }: Parameter<unknown>) => Type.Optional(schema);
const time = (description: string, example: string) => optional(timeParameter(description, example));

const excluding = 'exclude several values';
const selected = (maxItems?: number) =>
  several(
    'The user with this serial.',
    text('0198c0de-7a11-7000-8000-5f1e2d3c4b5a'),
    'select several users',
    maxItems,
  );

/** The filters of every operation that selects users. */
export const userFilterParameters = {
  search: optional(
    textParameter(
      'Finds users by parts of their name, employee ID (also former ones), username, email or phone. Words can be in any order; case, accents and punctuation do not matter. A word of one or two characters only matches the beginning of a word.',
      'muller ber',
    ),
  ),
  serial: selected(),
  employeeID: several('Exactly this employee ID.', text('E1001')),
  formerEmployeeID: several(
    'Users who have had this employee ID and no longer do. Each is returned with `formerEmployeeID`.',
    text('E1001'),
  ),
  username: several('This username, ignoring case.', text('ada')),
  isActive: flag('true or false.'),
  organizationSerial: several('Exactly this organization.', text('ORG7')),
  includeParts: flag(
    'true: `organizationSerial` also stands for all organizations that are part of it, at any level.',
  ),
  notOrganizationSerial: several('Not in this organization.', text('ORG8'), excluding),
  hasOrganization: flag('false: users without an organization.'),
  tagSerial: several('Users who have this tag.', text('T1')),
  notTagSerial: several('Users who do not have this tag.', text('T2'), excluding),
  hasTags: flag('false: users without any tag.'),
  manager: several('Direct reports of the user with this serial or employee ID.', text('E1001')),
  hasManager: flag('false: users without a manager.'),
  managerIsActive: flag('false: users whose manager is inactive, was removed or erased.'),
  role: several('Users with this role; none for those without one.', role),
  notRole: several('Users without this role.', role, excluding),
  mustChangePassword: flag('true: users who have not chosen a password yet.'),
  neverSignedIn: flag('true: users who have never signed in.'),
  createdSince: time('Created at this time or later.', '2026-11-15T00:00:00Z'),
  createdUntil: time('Created before this time.', '2026-11-16T00:00:00Z'),
  updatedSince: time('Last updated at this time or later.', '2026-11-15T00:00:00Z'),
  updatedUntil: time('Last updated before this time.', '2026-11-16T00:00:00Z'),
};

const attributeValue = Type.Union([
  text('Sales'),
  Type.Array(text('Sales'), { minItems: 1, maxItems: filterValuesMax }),
]);
const attributeNames = '^attributes\\.[a-z][A-Za-z0-9]*(\\.(from|to|isSet))?$';
const attributeFilters =
  'Users by the attributes that are filterable. `attributes.<key>` is a value; repeat it to match any of several, of a list any of its texts. `attributes.<key>.from` and `attributes.<key>.to` are the first and last value of a number or date, both included. `attributes.<key>.isSet` is true or false.';

/** The filters by attributes: an object whose properties are parameters. */
export const attributeFilterParameters = {
  name: 'attributes',
  schema: Type.Object(
    {},
    {
      additionalProperties: attributeValue,
      propertyNames: { pattern: attributeNames },
      description: `${attributeFilters} Each is a parameter of its own: ?attributes.department=Sales&attributes.hiredOn.from=2026-01-01.`,
      examples: [{ 'attributes.department': 'Sales', 'attributes.hiredOn.from': '2026-01-01' }],
    },
  ),
};

/**
 * The same in a body, where numbers and booleans need not be texts. Without a type, because generators apply it to the other
 * filters as well, and TypeScript then refuses the client.
 */
export const attributeFilterProperties = {
  [attributeNames]: Type.Unknown({ description: attributeFilters }),
};

/** In a body, where there is room for more users than in a URL. */
export const userFilterProperties = { ...userFilterParameters, serial: selected(selectedUsersMax) };

export type UserFilterName = keyof typeof userFilterParameters;
/** The texts given for each filter. */
export type GivenFilters = Partial<Record<UserFilterName, readonly string[]>>;

const listFilters = {
  serial: 'serials',
  employeeID: 'employeeIDs',
  formerEmployeeID: 'formerEmployeeIDs',
  username: 'usernames',
  organizationSerial: 'organizationSerials',
  notOrganizationSerial: 'notOrganizationSerials',
  tagSerial: 'tagSerials',
  notTagSerial: 'notTagSerials',
} as const satisfies Partial<Record<UserFilterName, keyof MatchFilters>>;

/** It has no meaning of its own. */
const flagWithOrganization = 'includeParts';
const flags = [
  ...(['isActive', 'hasOrganization', 'hasTags', 'hasManager', 'managerIsActive'] as const),
  ...(['mustChangePassword', 'neverSignedIn'] as const),
];
export const flagFilters: readonly string[] = [...flags, flagWithOrganization];
export const repeatableFilters: readonly string[] = [
  ...Object.keys(listFilters),
  'manager',
  'role',
  'notRole',
];

/** The filters among all values of a query. */
export function givenFilters(values: Readonly<Record<string, readonly string[]>>): GivenFilters {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in userFilterParameters));
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export function readUserFilters(
  given: GivenFilters,
  { serialsMax = filterValuesMax } = {},
): { readonly filters: MatchFilters } | FilterProblem {
  const filters: Writable<MatchFilters> = {};
  for (const [name, values] of Object.entries(given) as [UserFilterName, readonly string[]][]) {
    const problem = problemOf(name, values, name === 'serial' ? serialsMax : filterValuesMax);
    if (problem !== undefined) return { name, problem };
  }
  if (given[flagWithOrganization] && !given.organizationSerial) {
    return { name: flagWithOrganization, problem: 'requires "organizationSerial".' };
  }
  for (const [name, key] of Object.entries(listFilters) as [keyof typeof listFilters, keyof MatchFilters][]) {
    if (given[name]) Object.assign(filters, { [key]: given[name] });
  }
  for (const name of flags) {
    if (given[name]) filters[name] = given[name][0] === 'true';
  }
  if (given.manager) {
    filters.managers = { serials: given.manager.filter(isSerial), employeeIDs: given.manager };
  }
  if (given[flagWithOrganization]?.[0] === 'true') filters.includeParts = true;
  for (const [name, key] of [
    ['role', 'roles'],
    ['notRole', 'notRoles'],
  ] as const) {
    if (given[name]) filters[key] = given[name] as readonly RoleFilter[];
  }
  for (const name of ['createdSince', 'createdUntil', 'updatedSince', 'updatedUntil'] as const) {
    const [text] = given[name] ?? [];
    const time = text === undefined ? undefined : readTime(text);
    if (time !== undefined) filters[name] = time;
  }
  // A blank search does not filter.
  const [search = ''] = given.search ?? [];
  if (parseSearch(search) !== undefined) filters.search = search;
  return { filters };
}

function problemOf(name: UserFilterName, values: readonly string[], valuesMax: number): string | undefined {
  if (values.length > 1 && !repeatableFilters.includes(name)) return 'appears more than once. Send it once.';
  if (values.length > valuesMax) return `has more than ${valuesMax} values.`;
  return values.map((value) => valueProblem(name, value)).find((each) => each !== undefined);
}

function valueProblem(name: UserFilterName, value: string): string | undefined {
  switch (name) {
    case 'isActive':
    case 'includeParts':
    case 'hasOrganization':
    case 'hasTags':
    case 'hasManager':
    case 'managerIsActive':
    case 'mustChangePassword':
    case 'neverSignedIn':
      return value === 'true' || value === 'false' ? undefined : 'must be one of true, false.';
    case 'role':
    case 'notRole':
      return (roleFilters as readonly string[]).includes(value)
        ? undefined
        : `must be one of ${roleFilters.join(', ')}.`;
    case 'createdSince':
    case 'createdUntil':
    case 'updatedSince':
    case 'updatedUntil':
      return readTime(value) === undefined ? timeRule : undefined;
    default:
      return textProblem(name, value);
  }
}

export function isAttributeFilter(name: string): boolean {
  return name.startsWith(attributePrefix);
}

/** The filters by attributes among all that were given. Reads the definitions only if there are any. */
export async function attributeFiltersIn(
  database: Database,
  given: Readonly<Record<string, readonly string[]>>,
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<{ readonly attributes?: readonly AttributeFilter[] } | FilterProblem> {
  const sent = Object.entries(given).filter(([name]) => isAttributeFilter(name));
  if (sent.length === 0) return {};
  for (const [name, values] of sent) {
    const problem = values.map((value) => textProblem(name, value)).find((each) => each !== undefined);
    if (problem !== undefined) return { name, problem };
  }
  const definitions = await loadAttributes(database.pool);
  const read = readAttributeFilters(Object.fromEntries(sent), definitions, maySeeSensitive(actor));
  return 'problem' in read ? read : { attributes: read };
}
