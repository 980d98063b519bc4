import { InvalidArgumentError, Option } from 'commander';
import type { Query } from '#client';
import { filterValuesMax } from '../../contract/limits.js';
import { roles } from '../../contract/scopes.js';
import { keyValue, pointInTime, RepeatableOption, trueOrFalse } from '../arguments.js';
import { CommandProblem } from '../problem.js';
import type { RollcallCommand } from '../rollcall-command.js';

export const roleChoices = [...roles, 'none'] as const;
type RoleChoice = (typeof roleChoices)[number];

/** As options of a command, each named like its flag. */
export interface UserFilters {
  readonly search?: string | undefined;
  readonly serial?: string[] | undefined;
  readonly employeeId?: string[] | undefined;
  readonly formerEmployeeId?: string[] | undefined;
  readonly username?: string[] | undefined;
  readonly active?: boolean | undefined;
  readonly organization?: string[] | undefined;
  readonly includeParts?: boolean | undefined;
  readonly notOrganization?: string[] | undefined;
  readonly hasOrganization?: boolean | undefined;
  readonly tag?: string[] | undefined;
  readonly notTag?: string[] | undefined;
  readonly hasTags?: boolean | undefined;
  readonly manager?: string[] | undefined;
  readonly hasManager?: boolean | undefined;
  readonly managerActive?: boolean | undefined;
  readonly role?: RoleChoice[] | undefined;
  readonly notRole?: RoleChoice[] | undefined;
  readonly mustChangePassword?: boolean | undefined;
  readonly neverSignedIn?: boolean | undefined;
  readonly createdSince?: string | undefined;
  readonly createdUntil?: string | undefined;
  readonly updatedSince?: string | undefined;
  readonly updatedUntil?: string | undefined;
  readonly attribute?: string[] | undefined;
  readonly attributeFrom?: string[] | undefined;
  readonly attributeTo?: string[] | undefined;
  readonly withAttribute?: string[] | undefined;
  readonly withoutAttribute?: string[] | undefined;
}

export interface SelectedUsers extends UserFilters {
  readonly sort?: Query<'listUsers'>['sort'];
}

/** The sort orders of attributes depend on what is defined. */
const attributeSort = /^-?attributes\.[A-Za-z0-9]+$/;

const sorts = [
  'createdAt',
  '-createdAt',
  'employeeID',
  '-employeeID',
  'name',
  '-name',
] satisfies Query<'listUsers'>['sort'][];

/** The options that select users. */
export function withUserFilters(command: RollcallCommand): RollcallCommand {
  return command
    .optionsGroup('Filters:')
    .option('--search <words>', 'parts of the name, employee ID, username, email or phone, in any order')
    .addOption(repeatable('--serial <serial>', 'the user with this serial'))
    .addOption(repeatable('--employee-id <id>', 'exact employee ID'))
    .addOption(repeatable('--former-employee-id <id>', 'employee ID that the user no longer has'))
    .addOption(repeatable('--username <name>', 'exact username, case-insensitive'))
    .option('--active <true|false>', 'only active or only inactive users', trueOrFalse)
    .addOption(repeatable('--organization <serial>', 'members of this organization'))
    .option('--include-parts', 'with --organization: also members of organizations that are part of it')
    .addOption(repeatable('--not-organization <serial>', 'users outside this organization'))
    .addOption(flag('--has-organization', 'users with an organization; with false, those without one'))
    .addOption(repeatable('--tag <serial>', 'users with this tag'))
    .addOption(repeatable('--not-tag <serial>', 'users without this tag'))
    .addOption(flag('--has-tags', 'users with tags; with false, those without any'))
    .addOption(repeatable('--manager <id>', 'direct reports of the user with this employee ID or serial'))
    .addOption(flag('--has-manager', 'users with a manager; with false, those without one'))
    .addOption(
      flag('--manager-active', 'users whose manager is active; with false, inactive, removed or erased'),
    )
    .addOption(
      repeatable('--role <role>', 'users with this role, or none for users without one', roleChoices),
    )
    .addOption(repeatable('--not-role <role>', 'users without this role', roleChoices))
    .addOption(
      flag('--must-change-password', 'users who have not chosen a password yet; with false, those who have'),
    )
    .addOption(flag('--never-signed-in', 'users who have never signed in; with false, those who have'))
    .option(
      '--created-since <time>',
      'created at this time or later: 2026-11-15, 2026-11-15T08:00:00Z, or 90m, 36h, 7d ago',
      pointInTime,
    )
    .option('--created-until <time>', 'created before this time; a date means before this day', pointInTime)
    .option('--updated-since <time>', 'last updated at this time or later', pointInTime)
    .option(
      '--updated-until <time>',
      'last updated before this time; a date means before this day',
      pointInTime,
    )
    .addOption(
      repeatable(
        '--attribute <key=value>',
        'users with this value of an attribute that can be filtered by',
        keyed,
      ),
    )
    .addOption(
      repeatable('--attribute-from <key=value>', 'users with this number or date, or a later one', keyed),
    )
    .addOption(
      repeatable('--attribute-to <key=value>', 'users with this number or date, or an earlier one', keyed),
    )
    .addOption(repeatable('--with-attribute <key>', 'users with any value of this attribute'))
    .addOption(repeatable('--without-attribute <key>', 'users without a value of this attribute'))
    .optionsGroup('Options:')
    .details(
      `All filters must match. A repeated filter matches with any of its values, and a repeated --not filter excludes them all.
Values of one attribute match with any of them, those of several attributes have to match together.
A search ignores case, accents and punctuation. Words of one or two characters match only the beginning of a word.
A date without a time means midnight UTC.`,
    );
}

export function withUserSort(command: RollcallCommand): RollcallCommand {
  const option = new Option(
    '--sort <field>',
    'sort order, also attributes.KEY; a leading - means descending',
  ).choices(sorts);
  const choice = option.parseArg;
  return command.addOption(
    option.argParser((text) => (attributeSort.test(text) ? text : choice?.(text, undefined))),
  );
}

/** Choices, or a check that throws. */
type Allowed = readonly string[] | ((text: string) => unknown);

function repeatable(flags: string, description: string, allowed?: Allowed): RepeatableOption {
  const limits = { max: filterValuesMax };
  if (typeof allowed !== 'function')
    return new RepeatableOption(flags, description, { ...limits, choices: allowed });
  return new RepeatableOption(flags, description, { ...limits, check: allowed });
}

/** A filter needs a value: users without one are found by another filter. */
function keyed(text: string): void {
  if (keyValue(text).text.trim() === '') {
    throw new InvalidArgumentError('Must be key=value. For users without a value, use --without-attribute.');
  }
}

/** Without a value, commander sets it to true. */
function flag(name: string, description: string): Option {
  return new Option(`${name} [true|false]`, description).argParser(trueOrFalse);
}

const parameters = {
  search: 'search',
  serial: 'serial',
  employeeId: 'employeeID',
  formerEmployeeId: 'formerEmployeeID',
  username: 'username',
  active: 'isActive',
  organization: 'organizationSerial',
  includeParts: 'includeParts',
  notOrganization: 'notOrganizationSerial',
  hasOrganization: 'hasOrganization',
  tag: 'tagSerial',
  notTag: 'notTagSerial',
  hasTags: 'hasTags',
  manager: 'manager',
  hasManager: 'hasManager',
  managerActive: 'managerIsActive',
  role: 'role',
  notRole: 'notRole',
  mustChangePassword: 'mustChangePassword',
  neverSignedIn: 'neverSignedIn',
  createdSince: 'createdSince',
  createdUntil: 'createdUntil',
  updatedSince: 'updatedSince',
  updatedUntil: 'updatedUntil',
} as const satisfies Partial<Record<keyof UserFilters, keyof Query<'listUsers'>>>;

const attributeFilters = {
  attribute: '',
  attributeFrom: '.from',
  attributeTo: '.to',
} as const satisfies Partial<Record<keyof UserFilters, string>>;

const plainNames = Object.keys(parameters) as (keyof typeof parameters)[];
const attributeNames = Object.keys(attributeFilters) as (keyof typeof attributeFilters)[];

export const filterNames: readonly (keyof UserFilters)[] = [
  ...plainNames,
  ...attributeNames,
  'withAttribute',
  'withoutAttribute',
];
export const timeFilters = ['createdSince', 'createdUntil', 'updatedSince', 'updatedUntil'] as const;

export function userQuery({ sort, ...filters }: SelectedUsers): Query<'listUsers'> {
  if (filters.includeParts && !filters.organization) {
    throw new CommandProblem('wrongUse', '--include-parts requires --organization.');
  }
  const plain = Object.fromEntries(plainNames.map((name) => [parameters[name], filters[name]]));
  return { ...plain, ...attributeQuery(filters), sort };
}

/** Parameters whose names depend on what is defined, such as `attributes.floor.from`. */
function attributeQuery(filters: UserFilters): Record<string, string[] | string | boolean> {
  const query: Record<string, string[] | string | boolean> = {};
  for (const { key, text } of (filters.attribute ?? []).map(keyValue)) {
    query[`attributes.${key}`] = [query[`attributes.${key}`] ?? [], text].flat().map(String);
  }
  const once = (name: string, value: string | boolean) => {
    if (name in query)
      throw new CommandProblem('wrongUse', `${name.slice('attributes.'.length)} is given twice.`);
    query[name] = value;
  };
  for (const name of ['attributeFrom', 'attributeTo'] as const) {
    for (const given of filters[name] ?? []) {
      const { key, text } = keyValue(given);
      once(`attributes.${key}${attributeFilters[name]}`, text);
    }
  }
  for (const key of filters.withAttribute ?? []) once(`attributes.${key}.isSet`, true);
  for (const key of filters.withoutAttribute ?? []) once(`attributes.${key}.isSet`, false);
  return query;
}
