import { type Heading, type RowProblem, rowText } from '@rollcall/sheets';
import { fieldLabel, fieldRule } from '../../components/error-message.js';
import { errorsCopy } from '../../copy/copy.js';
import { importCopy, sheetsCopy } from '../../copy/on-demand-copy.js';

export function columnName(headings: readonly Heading[], column: number): string {
  return headings[column]?.name ?? sheetsCopy.columnNumber(column + 1);
}

/** What is wrong with a row, named after the field it is about. */
export function rowProblemMessage(problem: RowProblem): string {
  const text = rowText(problem, sheetsCopy) ?? fieldText(problem);
  return problem.field === undefined ? text : errorsCopy.about(fieldLabel(problem.field), text);
}

function fieldText({ code, field }: Pick<RowProblem, 'code' | 'field'>): string {
  if (code === 'FIELD_REQUIRED') return errorsCopy.required;
  if (code === 'CONTACT_REQUIRED') return errorsCopy.codes.USER_CONTACT_REQUIRED;
  if (field === 'managerEmployeeID') return importCopy.managerNotById;
  return fieldRule(field ?? '') ?? errorsCopy.codes.USER_FIELD_INVALID;
}
