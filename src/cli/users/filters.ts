import { Option } from 'commander';
import type { Query } from '#client';
import { filterValuesMax } from '../../contract/limits.js';
import { roles } from '../../contract/scopes.js';
import { pointInTime, RepeatableOption, trueOrFalse } from '../arguments.js';
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
  readonly role?: RoleChoice[] | undefined;
  readonly notRole?: RoleChoice[] | undefined;
  readonly mustChangePassword?: boolean | undefined;
  readonly neverSignedIn?: boolean | undefined;
  readonly createdSince?: string | undefined;
  readonly createdUntil?: string | undefined;
  readonly updatedSince?: string | undefined;
  readonly updatedUntil?: string | undefined;
}

export interface SelectedUsers extends UserFilters {
  readonly sort?: Query<'listUsers'>['sort'];
}

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
    .optionsGroup('Options:')
    .details(
      `All filters must match. A repeated filter matches with any of its values, and a repeated --not filter excludes them all.
A search ignores case, accents and punctuation. Words of one or two characters match only the beginning of a word.
A date without a time means midnight UTC.`,
    );
}

export function withUserSort(command: RollcallCommand): RollcallCommand {
  return command.addOption(
    new Option('--sort <field>', 'sort order; a leading - means descending').choices(sorts),
  );
}

function repeatable(flags: string, description: string, choices?: readonly string[]): RepeatableOption {
  return new RepeatableOption(flags, description, { max: filterValuesMax, choices });
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
  role: 'role',
  notRole: 'notRole',
  mustChangePassword: 'mustChangePassword',
  neverSignedIn: 'neverSignedIn',
  createdSince: 'createdSince',
  createdUntil: 'createdUntil',
  updatedSince: 'updatedSince',
  updatedUntil: 'updatedUntil',
} as const satisfies Record<keyof UserFilters, keyof Query<'listUsers'>>;

export const filterNames = Object.keys(parameters) as (keyof UserFilters)[];
export const timeFilters = ['createdSince', 'createdUntil', 'updatedSince', 'updatedUntil'] as const;

export function userQuery({ sort, ...filters }: SelectedUsers): Query<'listUsers'> {
  if (filters.includeParts && !filters.organization) {
    throw new CommandProblem('wrongUse', '--include-parts requires --organization.');
  }
  return { ...Object.fromEntries(filterNames.map((name) => [parameters[name], filters[name]])), sort };
}
