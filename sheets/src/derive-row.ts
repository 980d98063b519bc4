import { type Conversion, type Converted, createConversion } from './convert-text.js';
import { errorIn } from './error-texts.js';
import type { ColumnRecipe } from './recipe.js';
import { isCutOff, isText, joined, type Row, type RowNote } from './row.js';
import { isShortenedNumber } from './uncertain.js';

interface Source {
  readonly recipe: ColumnRecipe;
  /** The columns of the file. */
  readonly columns: readonly number[];
  readonly convert: Conversion | undefined;
}

/**
 * Creates a function that turns a row of the file into one with a cell for each column of the recipe, whose columns in the
 * file are given. What the file says about a cell holds for every cell that comes from it.
 */
export function createRowDeriver(
  recipes: readonly ColumnRecipe[],
  columnsOf: readonly (readonly number[])[],
): (row: Row) => Row {
  const sources = recipes.map((recipe, at): Source => {
    return { recipe, columns: columnsOf[at] ?? [], convert: createConversion(recipe) };
  });
  const users = usersOf(sources);
  return (row) => {
    const { number, line } = row;
    const derived = sources.map((source) => derive(source, row));
    const cells = derived.map(({ text }) => text);
    const notes = derivedNotes(row, derived, sources, users);
    return notes.length > 0 ? { number, line, cells, notes } : { number, line, cells };
  };
}

/** The columns of the recipe that use a column of the file. */
function usersOf(sources: readonly Source[]): ReadonlyMap<number, readonly number[]> {
  const users = new Map<number, number[]>();
  for (const [at, { columns }] of sources.entries()) {
    for (const column of new Set(columns)) users.set(column, [...(users.get(column) ?? []), at]);
  }
  return users;
}

interface Derived extends Converted {
  /** One of the cells is a formula error or a shortened number, and not marked as text. */
  readonly isDamaged?: boolean;
}

function derive({ recipe, columns, convert }: Source, row: Row): Derived {
  if (recipe.constant !== undefined) return { text: recipe.constant };
  const [first = 0] = columns;
  // Spaces around the serial of another system may belong to it.
  if (columns.length === 1 && !convert) return { text: row.cells[first] ?? '' };
  const damaged = errorIn(row, columns) ?? shortenedIn(row, columns, recipe.field);
  if (damaged !== undefined) return { text: damaged, isDamaged: true };
  const text = joined(row.cells, columns, recipe.separator);
  return convert ? convert(text, isCutOff(row, columns)) : { text };
}

/** A prefix or another column would hide that the number was shortened. As it is, the reader of the field refuses it. */
function shortenedIn(row: Row, columns: readonly number[], field: string): string | undefined {
  for (const column of columns) {
    const text = row.cells[column]?.trim() ?? '';
    if (isShortenedNumber(field, text) && !isText(row, [column])) return text;
  }
  return undefined;
}

function derivedNotes(
  row: Row,
  derived: readonly Derived[],
  sources: readonly Source[],
  users: ReadonlyMap<number, readonly number[]>,
): RowNote[] {
  const notes: RowNote[] = [];
  for (const note of row.notes ?? []) {
    if (note.code === 'CELLS_STRAY') notes.push(note);
    else if (note.code === 'CELLS_MISSING') {
      const missing = [...sources.keys()].filter((at) => isCutOff(row, sources[at]?.columns ?? []));
      if (missing.length > 0) notes.push({ ...note, columns: missing });
    } else {
      const written = row.cells[note.column] ?? '';
      for (const column of users.get(note.column) ?? []) {
        if (applies(note, written, derived[column])) notes.push({ ...note, column });
      }
    }
  }
  for (const [column, { doubt }] of derived.entries()) {
    if (doubt !== undefined) notes.push({ code: 'VALUE_UNCERTAIN', column, reason: doubt });
  }
  return notes;
}

/** The digits of a number are not those of another text, and a text that is marked doesn't excuse a damaged one. */
function applies(
  { code }: RowNote,
  written: string,
  { text = '', isDamaged = false }: Partial<Derived> = {},
) {
  if (code === 'IS_NUMBER') return text.trim() === written.trim();
  return code !== 'IS_TEXT' || !isDamaged;
}
