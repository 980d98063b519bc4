import {
  type Heading,
  type Mapping,
  type MappingProblem,
  type TableWarning,
  tableWarningText,
} from '@rollcall/sheets';
import { fieldLabel } from '../../components/error-message.js';
import { errorsCopy } from '../../copy/copy.js';
import { importCopy, sheetsCopy } from '../../copy/on-demand-copy.js';
import { fieldOf } from '../state/mapping.js';
import { columnName } from '../state/sheet-messages.js';
import type { Format } from '../state/source.js';

const copy = importCopy.columns;

/** Warnings about columns that are used, each once. */
export function columnWarnings(mapping: Mapping, { headings, warnings }: Format): string[] {
  const isUsed = (column: number) => fieldOf(mapping, column) !== undefined;
  const told = warnings
    .filter((warning) => concerns(warning, isUsed))
    .map((warning) => tableWarningText(warning, headings, sheetsCopy));
  return [...new Set(told)];
}

function concerns(warning: TableWarning, isUsed: (column: number) => boolean): boolean {
  if (warning.code === 'HEADING_DOUBLED') return warning.columns.some(isUsed);
  // Nobody can choose to use a column without a heading.
  return !('column' in warning) || warning.code === 'CELLS_WITHOUT_HEADING' || isUsed(warning.column);
}

/** Why the columns can't be used yet. */
export function columnProblems(
  mapping: Mapping,
  headings: readonly Heading[],
  problems: readonly MappingProblem[],
): string[] {
  const fields = Object.keys(mapping);
  const messages = problems.map((problem) => problemText(problem, headings));
  return problems.length === 0 && fields.length === 1 ? [copy.onlyID] : messages;
}

function problemText(problem: MappingProblem, headings: readonly Heading[]): string {
  switch (problem.code) {
    case 'HEADINGS_UNKNOWN':
      return copy.nothingMapped;
    case 'FIELDS_MISSING':
      return copy.idMissing;
    case 'COLUMNS_NOT_JOINED':
      return copy.notJoined(fieldLabel(problem.field));
    case 'COLUMN_TWICE':
      return sheetsCopy.columnTwice(columnName(headings, problem.column), problem.fields.map(fieldLabel));
    case 'FIELD_NOT_ACCEPTED':
      return sheetsCopy.fieldNotAccepted(fieldLabel(problem.field));
    case 'COLUMN_UNKNOWN':
      return sheetsCopy.columnUnknown(fieldLabel(problem.field));
    case 'CONTACT_MISSING':
      return errorsCopy.codes.USER_CONTACT_REQUIRED;
  }
}
