import { sessionCopy } from '../copy/session.js';
import { userCopy } from '../copy/user.js';

export function formatRole(value: unknown): string {
  return sessionCopy.role(typeof value === 'string' ? value : null);
}

/** Anything that a field can hold, in copy. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return userCopy.nothing;
  if (typeof value === 'boolean') return value ? userCopy.yes : userCopy.no;
  if (Array.isArray(value)) return value.length === 0 ? userCopy.nothing : value.join(', ');
  return String(value);
}
