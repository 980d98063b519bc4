import { createRowDeriver } from './derive-row.js';
import type { MappedField } from './fields.js';
import type { Heading } from './headings.js';
import type { Mapping } from './mapping.js';
import type { ColumnRecipe, Recipe, RecipeField } from './recipe.js';
import { createHeadingFinder, type MissingColumn, nearestHeading } from './recipe-headings.js';
import type { Row } from './row.js';
import type { SyncColumns } from './sync/rows.js';

/** A recipe and a file that has all of its columns: what a sync needs to know about the transformed rows. */
export interface BoundRecipe {
  /** One for each column of the recipe, named as in the file. */
  readonly headings: readonly Heading[];
  readonly columns: SyncColumns;
  /** The column with the day on which a row is to take effect. */
  readonly effectiveDate?: number;
  /** Turns a row of the file into one that has these headings. */
  readonly transform: (row: Row) => Row;
  /** Headings of the file that the recipe doesn't use. */
  readonly unused: readonly Heading[];
}

export type BindResult =
  | { readonly ok: false; readonly missing: readonly MissingColumn[] }
  | ({ readonly ok: true } & BoundRecipe);

/** Finds the columns of a recipe in a file. The recipe is one in which recipeProblems finds no problems. */
export function bindRecipe({ columns: recipes }: Recipe, headings: readonly Heading[]): BindResult {
  const find = createHeadingFinder(headings);
  const found = recipes.map(({ columns }) => columns.map(find));
  const used = new Set(found.flat(2).map(({ column }) => column));
  const unused = headings.filter(({ column, isEmpty }) => !isEmpty && !used.has(column));
  const missing = recipes.flatMap(({ field, columns }, at) =>
    columns.flatMap((heading, part) => missingColumns(field, heading, found[at]?.[part] ?? [], unused)),
  );
  if (missing.length > 0) return { ok: false, missing };
  const sources = found.map((parts) => parts.flat());
  const transform = createRowDeriver(
    recipes,
    sources.map((parts) => parts.map(({ column }) => column)),
  );
  const derived = recipes.map((recipe, at) => derivedHeading(recipe, at, sources[at] ?? []));
  const effectiveDate = columnOf(recipes, 'effectiveDate');
  return {
    ok: true,
    ...{ headings: derived, columns: syncColumns(recipes), transform, unused },
    ...(effectiveDate !== undefined && { effectiveDate }),
  };
}

function missingColumns(
  field: RecipeField,
  heading: string,
  found: readonly Heading[],
  unused: readonly Heading[],
): MissingColumn[] {
  if (found.length === 1) return [];
  if (found.length > 1) {
    return [{ code: 'COLUMN_AMBIGUOUS', field, heading, columns: found.map(({ column }) => column) }];
  }
  const nearest = nearestHeading(heading, unused);
  return [{ code: 'COLUMN_MISSING', field, heading, ...(nearest !== undefined && { nearest }) }];
}

/** Reports name the columns that people know. */
function derivedHeading({ field }: ColumnRecipe, column: number, sources: readonly Heading[]): Heading {
  const name = sources.map((source) => source.name).join(' + ') || field;
  return { column, letter: sources[0]?.letter ?? '', name, isEmpty: false };
}

function syncColumns(recipes: readonly ColumnRecipe[]): SyncColumns {
  const mapping: Mapping = {};
  for (const [column, { field }] of recipes.entries()) {
    if (isMapped(field)) mapping[field] = [column];
  }
  return { mapping, from: columnOf(recipes, 'renamedFrom') };
}

function columnOf(recipes: readonly ColumnRecipe[], field: RecipeField): number | undefined {
  const column = recipes.findIndex((recipe) => recipe.field === field);
  return column < 0 ? undefined : column;
}

function isMapped(field: RecipeField): field is MappedField {
  return field !== 'renamedFrom' && field !== 'effectiveDate';
}
