import type { MappedField } from './fields.js';
import type { TableOptions } from './open-table.js';

/** What a column of a recipe is for: a field, the previous employee ID, or the day on which the row is to take effect. */
export type RecipeField = MappedField | 'renamedFrom' | 'effectiveDate';

/** Where a field comes from. The steps apply in this order: join, values, padTo, prefix, dateFormat. */
export interface ColumnRecipe {
  readonly field: RecipeField;
  /** Headings of the columns, joined in this order; none for a constant. */
  readonly columns: readonly string[];
  /** Between joined columns, a space by default. Empty cells are skipped. */
  readonly separator?: string | undefined;
  /** The same value for every row. */
  readonly constant?: string | undefined;
  /** What whole values become. An entry for the empty text is for empty cells, but not for cells that are missing. */
  readonly values?: Readonly<Record<string, string>> | undefined;
  /** What becomes of a value that is not in the table: it is kept by default, and can be refused with its row. */
  readonly otherwise?: 'keep' | 'empty' | 'reject' | undefined;
  /** Zeros are put in front of shorter values, but not of empty ones. */
  readonly padTo?: number | undefined;
  /** Put in front of values that don't start with it, but not of empty ones. */
  readonly prefix?: string | undefined;
  /** How dates are written, such as DD.MM.YYYY, M/D/YY or YYYYMMDD. */
  readonly dateFormat?: string | undefined;
}

/** How to read the file, if detection is not to decide. */
export type ReadingOptions = Pick<TableOptions, 'format' | 'encoding' | 'separator' | 'sheet' | 'headingRow'>;

/** A mapping that can be stored and used for other files: it knows columns by their headings. It is plain JSON. */
export interface Recipe extends ReadingOptions {
  readonly columns: readonly ColumnRecipe[];
  /** Whether an empty cell leaves the field unchanged, which is the default, or clears it. */
  readonly empty?: 'leaves' | 'clears' | undefined;
}

export const recipeLimits = {
  columnsMax: 100,
  /** Headings that one column is joined from. */
  joinedMax: 20,
  /** Entries of one value table. */
  valuesMax: 1_000,
  textCharactersMax: 200,
  /** Separators and prefixes. */
  affixCharactersMax: 20,
  padToMax: 64,
} as const;

/** Longer texts are in no recipe, and normalizing them can take long. */
const comparedCharactersMax = 4 * recipeLimits.textCharactersMax;

/** Equal for headings and values that differ only in case, surrounding space and the encoding of accents. */
export function recipeKey(text: string): string {
  return text.length > comparedCharactersMax ? text : text.trim().normalize('NFC').toLowerCase();
}
