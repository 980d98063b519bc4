import { Option } from 'commander';
import type { Query } from '#client';
import { flag } from '../arguments.js';
import type { RollcallCommand } from '../rollcall-command.js';

/** Whom a list, or an export, is about. */
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
    .option('--employee-id <id>', 'who has exactly this employee ID')
    .option('--username <name>', 'who has this username, in capitals or not')
    .option('--active <true|false>', 'who is active, or who is not', flag)
    .option('--organization <serial>', 'who is in this organization')
    .option('--tag <serial>', 'who has this tag')
    .option('--search <words>', 'whose name, employee ID, username or email has words that begin so')
    .addOption(new Option('--sort <field>', 'with a leading - downwards').choices(sorts));
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
