import { texts } from '../copy/index.js';

export function roleInWords(value: unknown): string {
  return texts.session.role(typeof value === 'string' ? value : null);
}

/** Anything that a field can hold, in words. */
export function valueInWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return texts.person.nothing;
  if (typeof value === 'boolean') return value ? texts.person.yes : texts.person.no;
  if (Array.isArray(value)) return value.length === 0 ? texts.person.nothing : value.join(', ');
  return String(value);
}
