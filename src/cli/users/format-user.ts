import type { Schemas } from '#client';
import { formatTime } from '../terminal/format-time.js';

export type User = Schemas['User'];

export function formatUser(user: User): [name: string, value: string][] {
  return [
    ['employee ID', user.employeeID],
    ['name', user.name],
    ['username', user.username ?? ''],
    ['email', user.email ?? ''],
    ['phone', user.phone ?? ''],
    ['status', formatStatus(user)],
    ['tags', user.tagSerials.join(', ')],
    ['organization', user.organizationSerial ?? ''],
    ['created', formatTime(user.createdAt)],
    ['updated', formatTime(user.updatedAt)],
    ['serial', user.serial],
  ];
}

/** Without users:read, the service returns only serial and version. */
export function formatUpdatedUser(user: User | Schemas['UserVersion']): [name: string, value: string][] {
  if ('employeeID' in user) return formatUser(user);
  return [
    ['serial', user.serial],
    ['version', String(user.version)],
  ];
}

export function formatStatus({ isActive }: Pick<User, 'isActive'>): string {
  return isActive ? 'active' : 'inactive';
}
