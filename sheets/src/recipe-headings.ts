import { nearest } from './generated/nearest.js';
import type { Heading } from './headings.js';
import { type RecipeField, recipeKey } from './recipe.js';
import { recognise } from './synonyms.js';

/** Why the file has no column, or not exactly one, for a heading of a recipe. */
export type MissingColumn =
  | {
      readonly code: 'COLUMN_MISSING';
      readonly field: RecipeField;
      readonly heading: string;
      /** The most similar heading of a column that the recipe doesn't use. */
      readonly nearest?: string;
    }
  | {
      readonly code: 'COLUMN_AMBIGUOUS';
      readonly field: RecipeField;
      readonly heading: string;
      /** All columns with this heading. */
      readonly columns: readonly number[];
    };

/** Finds the columns with a heading: those that match exactly, or else ignoring case and surrounding space. */
export function createHeadingFinder(headings: readonly Heading[]): (heading: string) => readonly Heading[] {
  const [exact, similar] = [new Map<string, Heading[]>(), new Map<string, Heading[]>()];
  for (const heading of headings) {
    // The name of an empty heading is its letter, which says nothing about another file.
    if (heading.isEmpty) continue;
    note(exact, heading.name, heading);
    note(similar, recipeKey(heading.name), heading);
  }
  return (heading) => exact.get(heading) ?? similar.get(recipeKey(heading)) ?? [];
}

function note(found: Map<string, Heading[]>, name: string, heading: Heading): void {
  const same = found.get(name);
  if (same) same.push(heading);
  else found.set(name, [heading]);
}

/** Headings are short. The time that a comparison takes grows with the square of the length. */
const comparedCharactersMax = 64;

/** The heading that a missing one may have become: one that means the same field, or one with few other letters. */
export function nearestHeading(missing: string, candidates: readonly Heading[]): string | undefined {
  const isShort = (text: string) => text.length <= comparedCharactersMax;
  const named = candidates.filter(({ name, isEmpty }) => !isEmpty && isShort(name));
  const meaning = recognise(missing)?.meaning;
  const same = meaning && named.find(({ name }) => recognise(name)?.meaning === meaning);
  if (same || !isShort(missing)) return same?.name;
  const names = new Map(named.map(({ name }) => [recipeKey(name), name]));
  return names.get(nearest(recipeKey(missing), [...names.keys()]) ?? '');
}

/** Describes the problem in a sentence. */
export function missingColumnText(missing: MissingColumn): string {
  const { heading, field } = missing;
  if (missing.code === 'COLUMN_AMBIGUOUS') {
    return `${missing.columns.length} columns are named "${heading}", which is mapped to "${field}". Rename or remove all but one.`;
  }
  const other = missing.nearest === undefined ? '' : ` The most similar heading is "${missing.nearest}".`;
  return `The file has no column "${heading}", which is mapped to "${field}".${other}`;
}
