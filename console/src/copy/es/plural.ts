import { formatNumber } from '../format.js';

const rules = new Intl.PluralRules('es');

export function choose(value: number, one: string, other: string): string {
  return rules.select(value) === 'one' ? one : other;
}

/** `1 fila`, `2 filas`, `1.000.000 de filas`. */
export function plural(value: number, one: string, other: string): string {
  const link = rules.select(value) === 'many' ? ' de ' : ' ';
  return `${formatNumber(value)}${link}${choose(value, one, other)}`;
}

/** `1 usuario`, `2 usuarios`. */
export function users(value: number): string {
  return plural(value, 'usuario', 'usuarios');
}
