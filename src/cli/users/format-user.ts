import type { Schemas } from '#client';
import { fieldRows, type PlainField, plainFields } from '../../contract/user-values.js';
import { formatFields } from '../changes/format-change.js';
import { formatLongTime, formatTime } from '../terminal/format-time.js';

export type User = Schemas['User'];

export function formatUser(user: User): [name: string, value: string][] {
  return [
    ...plainFields.map((field): [string, string] => [labelOf(field), formatted(field, user)]),
    ['manager', formatManager(user.manager)],
    ...Object.entries(user.attributes).map(([key, value]): [string, string] => [key, formatValue(value)]),
    ['created', formatTime(user.createdAt)],
    ['updated', formatTime(user.updatedAt)],
    ['serial', user.serial],
  ];
}

/** "Employee ID" becomes "employee ID". */
function labelOf(field: PlainField): string {
  const { label } = fieldRows[field];
  return label.charAt(0).toLowerCase() + label.slice(1);
}

function formatted(field: PlainField, user: User): string {
  return field === 'isActive' ? formatStatus(user) : formatValue(user[field]);
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '');
}

/** Without a name, the manager was removed or erased. */
function formatManager(manager: User['manager']): string {
  if (manager === null) return '';
  return manager.name === null ? `removed (${manager.serial})` : `${manager.name} (${manager.employeeID})`;
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
