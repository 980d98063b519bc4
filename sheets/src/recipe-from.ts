import type { MappedField } from './fields.js';
import type { Heading } from './headings.js';
import type { Mapping } from './mapping.js';
import type { ColumnRecipe, ReadingOptions, Recipe, RecipeField } from './recipe.js';
import { createHeadingFinder } from './recipe-headings.js';

/** A column that no recipe can name: it has no heading, or another column has the same one. */
export interface UnnamedColumn {
  readonly field: RecipeField;
  readonly column: number;
}

export type RecipeResult =
  | { readonly ok: false; readonly unnamed: readonly UnnamedColumn[] }
  | { readonly ok: true; readonly recipe: Recipe };

export interface RecipeOptions extends ReadingOptions {
  /** The column with the previous employee ID. */
  readonly from?: number | undefined;
  readonly empty?: 'leaves' | 'clears' | undefined;
}

/** Turns the mapping of a file, in which checkMapping finds no problems, into a recipe for the files after it. */
export function recipeFrom(
  mapping: Mapping,
  headings: readonly Heading[],
  { from, ...options }: RecipeOptions = {},
): RecipeResult {
  const find = createHeadingFinder(headings);
  const unnamed: UnnamedColumn[] = [];
  const nameOf = (field: RecipeField, column: number): string => {
    const { name = '', isEmpty = true } = headings[column] ?? {};
    if (isEmpty || find(name).length !== 1) unnamed.push({ field, column });
    return name;
  };
  const fields: readonly (readonly [RecipeField, readonly number[]])[] = [
    ...mappedFields(mapping),
    ...(from === undefined ? [] : [['renamedFrom', [from]] as const]),
  ];
  const columns = fields.map(([field, numbers]): ColumnRecipe => {
    return { field, columns: numbers.map((column) => nameOf(field, column)) };
  });
  return unnamed.length > 0 ? { ok: false, unnamed } : { ok: true, recipe: { columns, ...options } };
}

function mappedFields(mapping: Mapping): [MappedField, readonly number[]][] {
  const fields = Object.keys(mapping) as MappedField[];
  return fields.flatMap((field) => (mapping[field]?.length ? [[field, mapping[field]]] : []));
}

/** Describes the problem in a sentence. */
export function unnamedColumnText({ field, column }: UnnamedColumn, headings: readonly Heading[]): string {
  const { letter = '', name = '', isEmpty = true } = headings[column] ?? {};
  return isEmpty
    ? `Column ${letter}, which is mapped to "${field}", has no heading. Add one.`
    : `Several columns are named "${name}", which is mapped to "${field}". Rename or remove all but one.`;
}
