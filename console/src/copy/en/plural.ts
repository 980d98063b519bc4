import { formatNumber } from '../format.js';

/** `1 user`, `2 users`. */
export function plural(value: number, noun: string): string {
  return `${formatNumber(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** `1 user`, `2 users`. */
export function users(value: number): string {
  return plural(value, 'user');
}
