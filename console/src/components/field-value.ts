import { commonCopy, sessionCopy } from '../copy/copy.js';

/** The value of a field as text. */
export function formatValue(value: unknown): string {
  if (isEmpty(value)) return commonCopy.empty;
  if (typeof value === 'boolean') return value ? commonCopy.yes : commonCopy.no;
  return Array.isArray(value) ? value.join(', ') : String(value);
}

export function formatRole(value: unknown): string {
  return sessionCopy.role(typeof value === 'string' ? value : null);
}

export function isEmpty(value: unknown): boolean {
  return (
    value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)
  );
}
