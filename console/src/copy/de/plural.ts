import { formatNumber } from '../format.js';

const rules = new Intl.PluralRules('de');

export function choose(value: number, one: string, other: string): string {
  return rules.select(value) === 'one' ? one : other;
}

/** `1 Zeile`, `2 Zeilen`. */
export function plural(value: number, one: string, other: string): string {
  return `${formatNumber(value)} ${choose(value, one, other)}`;
}

/** `1 Benutzer`, `2 Benutzer`. */
export function users(value: number): string {
  return plural(value, 'Benutzer', 'Benutzer');
}
