import { createDateReader } from './dates.js';
import { type ColumnRecipe, recipeKey } from './recipe.js';
import type { Uncertainty } from './row.js';

export interface Converted {
  /** As written if it could not be converted. */
  readonly text: string;
  /** Why it could not be converted. */
  readonly doubt?: Uncertainty;
}

/** Converts the text of a cell. A cell that is missing from the row is empty, whatever the value table says. */
export type Conversion = (written: string, isMissing: boolean) => Converted;

/** The steps of a column from the value table on, or undefined if it has none. */
export function createConversion(column: ColumnRecipe): Conversion | undefined {
  const { values, otherwise = 'keep', padTo = 0, prefix = '', dateFormat } = column;
  if (values === undefined && padTo === 0 && prefix === '' && dateFormat === undefined) return undefined;
  const table = values && createTable(values);
  const readDate = dateFormat === undefined ? undefined : (createDateReader(dateFormat) ?? readNone);
  return (written, isMissing) => {
    const text = written.trim();
    const found = isMissing ? undefined : table?.get(recipeKey(text));
    const isUnknown = table !== undefined && found === undefined && text !== '';
    if (isUnknown && otherwise === 'reject') return { text: written, doubt: 'NOT_IN_TABLE' };
    const value = isUnknown && otherwise === 'empty' ? '' : (found ?? text).trim();
    if (value === '') return { text: '' };
    const complete = prefixed(padded(value, padTo), prefix);
    const converted = readDate ? readDate(complete) : complete;
    return converted === undefined ? { text: written, doubt: 'DATE_FORMAT' } : { text: converted };
  };
}

/** A map, because a key can be the name of what every object inherits, such as constructor. */
function createTable(values: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).map(([value, meaning]) => [recipeKey(value), meaning]));
}

const readNone = (): undefined => undefined;

/** Lengths are in code points. */
function padded(text: string, length: number): string {
  return text.length >= 2 * length ? text : '0'.repeat(Math.max(0, length - [...text].length)) + text;
}

function prefixed(text: string, prefix: string): string {
  return text.startsWith(prefix) ? text : prefix + text;
}
