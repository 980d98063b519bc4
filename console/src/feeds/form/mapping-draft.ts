import {
  type Attribute,
  type ColumnRecipe,
  guessMapping,
  type Heading,
  type Recipe,
  type RecipeField,
  type RecipeProblem,
  recipeFrom,
  recipeProblems,
} from '@rollcall/sheets';
import { type FeedMapping, withoutEmpty } from './feed.js';

/** Where a field comes from, as typed. */
export interface ColumnDraft {
  /** Tells rows apart while they are edited. */
  readonly id: number;
  readonly field: RecipeField | '';
  readonly isConstant: boolean;
  readonly columns: readonly string[];
  readonly separator: string;
  readonly constant: string;
  readonly values: readonly ValueDraft[];
  readonly otherwise: NonNullable<ColumnRecipe['otherwise']>;
  readonly padTo: number | string;
  readonly prefix: string;
  readonly dateFormat: string;
}

export interface ValueDraft {
  readonly from: string;
  readonly to: string;
}

/** How the file is read, if detection is not to decide. Empty texts leave it to detection. */
export interface ReadingDraft {
  readonly format: NonNullable<FeedMapping['format']> | '';
  readonly encoding: NonNullable<FeedMapping['encoding']> | '';
  readonly separator: NonNullable<FeedMapping['separator']> | '';
  readonly sheet: string;
  readonly headingRow: number | string;
}

export interface MappingDraft {
  readonly columns: readonly ColumnDraft[];
  readonly empty: 'leaves' | 'clears';
  readonly reading: ReadingDraft;
}

const emptyColumn: Omit<ColumnDraft, 'id'> = {
  ...{ field: '', isConstant: false, columns: [], separator: '', constant: '', values: [] },
  ...{ otherwise: 'keep', padTo: '', prefix: '', dateFormat: '' },
};
const detected: ReadingDraft = { format: '', encoding: '', separator: '', sheet: '', headingRow: '' };

export const newMapping: MappingDraft = {
  columns: [{ ...emptyColumn, id: 0, field: 'employeeID' }],
  empty: 'leaves',
  reading: detected,
};

export function mappingDraftOf({ columns, empty, ...reading }: FeedMapping | Recipe): MappingDraft {
  return {
    columns: columns.map((column, id) => columnDraftOf(column as ColumnRecipe, id)), // checked by the service
    empty: empty ?? 'leaves',
    reading: { ...detected, ...withoutEmpty(reading) } as ReadingDraft, // texts and a number
  };
}

function columnDraftOf(column: ColumnRecipe, id: number): ColumnDraft {
  const { field, columns = [], separator, constant, values, otherwise, padTo, prefix, dateFormat } = column;
  return {
    ...{ id, field, columns, isConstant: constant != null, constant: constant ?? '' },
    ...{ separator: separator ?? '', padTo: padTo ?? '', prefix: prefix ?? '', dateFormat: dateFormat ?? '' },
    values: Object.entries(values ?? {}).map(([from, to]) => ({ from, to })),
    otherwise: otherwise ?? 'keep',
  };
}

/** What to send. */
export function mappingOf({ columns, empty, reading }: MappingDraft): FeedMapping {
  const { headingRow } = reading;
  return withoutEmpty({
    columns: columns.map(columnOf),
    empty: empty === 'clears' ? empty : null,
    ...reading,
    headingRow: headingRow === '' ? null : Number(headingRow),
  }) as FeedMapping; // nothing in it is an empty text any more
}

function columnOf(draft: ColumnDraft): FeedMapping['columns'][number] {
  const { field, isConstant, columns, separator, constant, values, otherwise, padTo, prefix, dateFormat } =
    draft;
  if (isConstant) return { field, constant: constant.trim() };
  const table = values.filter(({ from, to }) => from !== '' || to !== '');
  return withoutEmpty({
    ...{ field, columns: [...columns], prefix, dateFormat: dateFormat.trim() },
    separator: columns.length > 1 ? separator : '',
    padTo: padTo === '' ? null : Number(padTo),
    ...(table.length > 0 && {
      values: Object.fromEntries(table.map(({ from, to }) => [from, to])),
      otherwise: otherwise === 'keep' ? null : otherwise,
    }),
  });
}

/** What the service would refuse. */
export function mappingProblems(draft: MappingDraft, attributes: readonly Attribute[]): RecipeProblem[] {
  const { columns, ...options } = mappingOf(draft);
  const recipe = { ...options, columns: columns.map((column) => ({ columns: [], ...column })) };
  return recipeProblems(recipe as Recipe, attributes); // has the shape of a recipe, and null for nothing
}

export function withColumn(draft: MappingDraft, part: Partial<ColumnDraft> = {}): MappingDraft {
  const id = Math.max(-1, ...draft.columns.map((column) => column.id)) + 1;
  return { ...draft, columns: [...draft.columns, { ...emptyColumn, ...part, id }] };
}

export function withoutColumn(draft: MappingDraft, id: number): MappingDraft {
  return { ...draft, columns: draft.columns.filter((column) => column.id !== id) };
}

export function withChange(draft: MappingDraft, id: number, part: Partial<ColumnDraft>): MappingDraft {
  return {
    ...draft,
    columns: draft.columns.map((column) => (column.id === id ? { ...column, ...part } : column)),
  };
}

/** Adds what the headings of a file say about fields that have no columns yet. */
export function withGuesses(
  draft: MappingDraft,
  headings: readonly Heading[],
  attributes: readonly Attribute[],
): MappingDraft {
  const { password: _, ...guessed } = guessMapping(headings, 'sync', attributes).mapping;
  const open = draft.columns.filter(({ columns, isConstant }) => columns.length === 0 && !isConstant);
  const mapped = new Set(draft.columns.filter((column) => !open.includes(column)).map(({ field }) => field));
  return Object.entries(guessed).reduce((now, [field, columns]) => {
    const one = recipeFrom({ [field]: columns }, headings);
    const [column] = one.ok ? one.recipe.columns : [];
    if (!column || mapped.has(column.field)) return now;
    const empty = open.find((each) => each.field === column.field);
    return empty
      ? withChange(now, empty.id, { columns: column.columns })
      : withColumn(now, { field: column.field, columns: column.columns });
  }, draft);
}

export function hasConversions({ values, padTo, prefix, dateFormat }: ColumnDraft): boolean {
  return values.length > 0 || padTo !== '' || prefix !== '' || dateFormat !== '';
}
