import type { Attribute } from './attributes.js';
import { createDateReader } from './dates.js';
import { attributeField, fieldsOf, requiredFieldsOf } from './fields.js';
import { type ColumnRecipe, type Recipe, type RecipeField, recipeKey, recipeLimits } from './recipe.js';

type TextPart = 'columns' | 'separator' | 'constant' | 'values' | 'prefix' | 'dateFormat';

/** Why a recipe cannot be used with any file. Problems that are not about the whole recipe name a field. */
export type RecipeProblem =
  | { readonly code: 'COLUMNS_TOO_MANY'; readonly count: number; readonly max: number }
  | { readonly code: 'SHEET_TOO_LONG'; readonly max: number }
  | { readonly code: 'HEADING_ROW_INVALID' }
  /** Every row needs the field. */
  | { readonly code: 'FIELD_MISSING'; readonly field: RecipeField }
  | { readonly code: 'FIELD_UNKNOWN'; readonly field: string }
  | { readonly code: 'FIELD_TWICE'; readonly field: RecipeField }
  /** The new employee ID and the previous one: the third has no column. */
  | { readonly code: 'RENAMED_TWICE'; readonly field: RecipeField }
  /** Neither columns nor a constant. */
  | { readonly code: 'SOURCE_MISSING'; readonly field: RecipeField }
  /** A constant with columns or steps. */
  | { readonly code: 'CONSTANT_NOT_ALONE'; readonly field: RecipeField }
  /** Users differ in this field. */
  | { readonly code: 'CONSTANT_NOT_ACCEPTED'; readonly field: RecipeField }
  | { readonly code: 'HEADING_EMPTY'; readonly field: RecipeField }
  | { readonly code: 'JOINED_TOO_MANY'; readonly field: RecipeField; readonly max: number }
  | { readonly code: 'VALUES_TOO_MANY'; readonly field: RecipeField; readonly max: number }
  /** Two entries for values that are compared as equal. */
  | { readonly code: 'VALUE_TWICE'; readonly field: RecipeField; readonly value: string }
  | { readonly code: 'OTHERWISE_WITHOUT_VALUES'; readonly field: RecipeField }
  | { readonly code: 'PAD_TO_INVALID'; readonly field: RecipeField; readonly max: number }
  | { readonly code: 'DATE_FORMAT_INVALID'; readonly field: RecipeField; readonly dateFormat: string }
  | {
      readonly code: 'TEXT_TOO_LONG';
      readonly field: RecipeField;
      readonly part: TextPart;
      readonly max: number;
    };

/** Fields in which users differ, and secrets. */
const ofOneUser: ReadonlySet<RecipeField> = new Set<RecipeField>([
  ...(['employeeID', 'newEmployeeID', 'renamedFrom', 'username', 'password'] as const),
]);

/** Problems that are found without a file. */
export function recipeProblems(recipe: Recipe, attributes: readonly Attribute[]): RecipeProblem[] {
  const { columns, sheet = '', headingRow = 1 } = recipe;
  const { columnsMax, textCharactersMax } = recipeLimits;
  const problems: RecipeProblem[] = [];
  if (columns.length > columnsMax) {
    return [{ code: 'COLUMNS_TOO_MANY', count: columns.length, max: columnsMax }];
  }
  if (sheet.length > textCharactersMax) problems.push({ code: 'SHEET_TOO_LONG', max: textCharactersMax });
  if (!Number.isSafeInteger(headingRow) || headingRow < 1) problems.push({ code: 'HEADING_ROW_INVALID' });
  const fields = new Set(columns.map(({ field }) => field));
  for (const field of requiredFieldsOf('sync')) {
    if (!fields.has(field)) problems.push({ code: 'FIELD_MISSING', field });
  }
  if (fields.has('renamedFrom') && fields.has('newEmployeeID')) {
    problems.push({ code: 'RENAMED_TWICE', field: 'renamedFrom' });
  }
  const known = knownFields(attributes);
  for (const [at, column] of columns.entries()) {
    const { field } = column;
    if (!known.has(field)) problems.push({ code: 'FIELD_UNKNOWN', field });
    else if (columns.findIndex((other) => other.field === field) < at) {
      problems.push({ code: 'FIELD_TWICE', field });
    }
    problems.push(...sourceProblems(column), ...stepProblems(column), ...textProblems(column));
  }
  return problems;
}

function knownFields(attributes: readonly Attribute[]): ReadonlySet<RecipeField> {
  const ofAttributes = attributes.map(({ key }) => attributeField(key));
  return new Set<RecipeField>([...fieldsOf('sync'), ...ofAttributes, 'renamedFrom', 'effectiveDate']);
}

function sourceProblems(column: ColumnRecipe): RecipeProblem[] {
  const { field, columns, constant, separator, values, padTo, prefix, dateFormat } = column;
  const problems: RecipeProblem[] = [];
  if (constant !== undefined) {
    const steps = [separator, values, padTo, prefix, dateFormat].filter((step) => step !== undefined);
    if (columns.length > 0 || steps.length > 0) problems.push({ code: 'CONSTANT_NOT_ALONE', field });
    if (ofOneUser.has(field)) problems.push({ code: 'CONSTANT_NOT_ACCEPTED', field });
  } else if (columns.length === 0) problems.push({ code: 'SOURCE_MISSING', field });
  const { joinedMax } = recipeLimits;
  if (columns.length > joinedMax) problems.push({ code: 'JOINED_TOO_MANY', field, max: joinedMax });
  if (columns.some((heading) => heading.trim() === '')) problems.push({ code: 'HEADING_EMPTY', field });
  return problems;
}

function stepProblems({ field, values, otherwise, padTo, dateFormat }: ColumnRecipe): RecipeProblem[] {
  const { valuesMax, padToMax } = recipeLimits;
  const problems: RecipeProblem[] = [];
  const keys = Object.keys(values ?? {});
  const twice = keys.length > valuesMax ? undefined : firstTwice(keys);
  if (keys.length > valuesMax) problems.push({ code: 'VALUES_TOO_MANY', field, max: valuesMax });
  if (twice !== undefined) problems.push({ code: 'VALUE_TWICE', field, value: twice });
  if (values === undefined && otherwise !== undefined) {
    problems.push({ code: 'OTHERWISE_WITHOUT_VALUES', field });
  }
  if (padTo !== undefined && !(Number.isSafeInteger(padTo) && padTo >= 1 && padTo <= padToMax)) {
    problems.push({ code: 'PAD_TO_INVALID', field, max: padToMax });
  }
  if (dateFormat !== undefined && !createDateReader(dateFormat)) {
    problems.push({ code: 'DATE_FORMAT_INVALID', field, dateFormat });
  }
  return problems;
}

function firstTwice(values: readonly string[]): string | undefined {
  const seen = new Set<string>();
  return values.find((value) => seen.size === seen.add(recipeKey(value)).size);
}

function textProblems(column: ColumnRecipe): RecipeProblem[] {
  const { field, columns, separator = '', constant = '', values = {}, prefix = '', dateFormat = '' } = column;
  const { textCharactersMax, affixCharactersMax } = recipeLimits;
  const parts: readonly (readonly [TextPart, readonly string[], number])[] = [
    ['columns', columns, textCharactersMax],
    ['separator', [separator], affixCharactersMax],
    ['constant', [constant], textCharactersMax],
    ['values', Object.entries(values).flat(), textCharactersMax],
    ['prefix', [prefix], affixCharactersMax],
    ['dateFormat', [dateFormat], textCharactersMax],
  ];
  return parts.flatMap(([part, texts, max]): RecipeProblem[] =>
    texts.some((text) => text.length > max) ? [{ code: 'TEXT_TOO_LONG', field, part, max }] : [],
  );
}

/** Describes the problem in a sentence. */
export function recipeProblemText(problem: RecipeProblem): string {
  switch (problem.code) {
    case 'COLUMNS_TOO_MANY':
      return `The mapping has ${problem.count} columns. At most ${problem.max} are accepted.`;
    case 'SHEET_TOO_LONG':
      return `The name of the sheet has more than ${problem.max} characters.`;
    case 'HEADING_ROW_INVALID':
      return 'The row with the headings must be a whole number from 1.';
    case 'FIELD_MISSING':
      return `Every row needs "${problem.field}", but nothing is mapped to it.`;
    case 'FIELD_UNKNOWN':
      return `"${problem.field}" is not a field of a user, and no attribute has this key.`;
    case 'FIELD_TWICE':
      return `"${problem.field}" is mapped twice.`;
    case 'RENAMED_TWICE':
      return 'Map either "newEmployeeID" or "renamedFrom", not both.';
    case 'SOURCE_MISSING':
      return `"${problem.field}" has neither columns nor a constant.`;
    case 'CONSTANT_NOT_ALONE':
      return `"${problem.field}" is a constant, so it can have neither columns nor conversions.`;
    case 'CONSTANT_NOT_ACCEPTED':
      return `"${problem.field}" cannot be the same for all users.`;
    case 'HEADING_EMPTY':
      return `"${problem.field}" comes from a column without a heading.`;
    case 'JOINED_TOO_MANY':
      return `"${problem.field}" is joined from more than ${problem.max} columns.`;
    case 'VALUES_TOO_MANY':
      return `The value table of "${problem.field}" has more than ${problem.max} entries.`;
    case 'VALUE_TWICE':
      return `The value table of "${problem.field}" has two entries for "${problem.value}". Upper and lower case make no difference.`;
    case 'OTHERWISE_WITHOUT_VALUES':
      return `"${problem.field}" says what becomes of other values, but has no value table.`;
    case 'PAD_TO_INVALID':
      return `"padTo" of "${problem.field}" must be a whole number from 1 to ${problem.max}.`;
    case 'DATE_FORMAT_INVALID':
      return `"${problem.dateFormat}" of "${problem.field}" is not a date format such as DD.MM.YYYY, M/D/YY or YYYYMMDD.`;
    case 'TEXT_TOO_LONG':
      return `"${problem.part}" of "${problem.field}" has a text of more than ${problem.max} characters.`;
  }
}
