import type { Schemas } from '#client';
import { formatFields } from '../changes/format-change.js';
import { formatLongTime, formatTime } from '../terminal/format-time.js';

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

/** "on 31 December 2026 at 00:00 UTC: isActive: true → false (call 0198…)" */
export function formatUpcoming(change: Schemas['UpcomingChange']): [name: string, value: string] {
  const { callId, state, effectiveAt, effect } = change;
  const when = effectiveAt === null ? '' : `on ${formatLongTime(effectiveAt)}`;
  const approved = state === 'awaitingApproval' ? 'once approved' : '';
  const what = formatFields(effect.kind, effect.fields);
  return ['upcoming', `${[when, approved].filter(Boolean).join(', ')}: ${what} (call ${callId})`];
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
