import { Option } from 'commander';
import type { Query } from '#client';
import { trueOrFalse } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

export interface UserFilters {
  readonly employeeId?: string | undefined;
  readonly username?: string | undefined;
  readonly active?: boolean | undefined;
  readonly organization?: string | undefined;
  readonly tag?: string | undefined;
  readonly search?: string | undefined;
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

export function withUserFilters(command: RollcallCommand): RollcallCommand {
  return command
    .option('--employee-id <id>', 'exact employee ID')
    .option('--username <name>', 'exact username, case-insensitive')
    .option('--active <true|false>', 'only active or only inactive users', trueOrFalse)
    .option('--organization <serial>', 'members of this organization')
    .option('--tag <serial>', 'users with this tag')
    .option('--search <words>', 'match the beginning of words in name, employee ID, username or email')
    .addOption(new Option('--sort <field>', 'sort order; a leading - means descending').choices(sorts));
}

export function userQuery(filters: UserFilters): Query<'listUsers'> {
  const { employeeId, username, active, organization, tag, search, sort } = filters;
  return {
    employeeID: employeeId,
    username,
    isActive: active,
    organizationSerial: organization,
    tagSerial: tag,
    search,
    sort,
  };
}
