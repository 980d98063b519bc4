import type { Schemas } from '#client';
import { shownTime } from '../terminal/time.js';

export type User = Schemas['User'];

/** A user as lines of names and values. */
export function shownUser(user: User): [name: string, value: string][] {
  return [
    ['employee ID', user.employeeID],
    ['name', user.name],
    ['username', user.username ?? ''],
    ['email', user.email ?? ''],
    ['phone', user.phone ?? ''],
    ['status', shownStatus(user)],
    ['tags', user.tagSerials.join(', ')],
    ['organization', user.organizationSerial ?? ''],
    ['created', shownTime(user.createdAt)],
    ['updated', shownTime(user.updatedAt)],
    ['serial', user.serial],
  ];
}

/** A token without users:read is told no more than the serial and the version. */
export function shownUpdatedUser(user: User | Schemas['UserVersion']): [name: string, value: string][] {
  if ('employeeID' in user) return shownUser(user);
  return [
    ['serial', user.serial],
    ['version', String(user.version)],
  ];
}

export function shownStatus({ isActive }: Pick<User, 'isActive'>): string {
  return isActive ? 'active' : 'inactive';
}
