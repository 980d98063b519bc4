import { type Heading, type MappingProblem, mappingProblemText, type TableWarning } from '@rollcall/sheets';
import { bulkCopy } from '../../copy/bulk.js';
import { commonCopy } from '../../copy/common.js';
import { fieldOf } from '../state/mapping.js';
import type { BulkKind } from '../state/service-calls.js';
import type { Format } from '../state/source.js';
import type { Wizard } from '../state/wizard.js';

const copy = bulkCopy.columns;

/** What a person should know of the columns before the rows are looked at. */
export function columnWarnings({ mapping }: Pick<Wizard, 'mapping'>, format: Format): string[] {
  const { headings, warnings } = format;
  const nameOf = (column: number) => headings[column]?.name ?? '';
  const unknown = headings.filter(
    ({ column, isEmpty }) => !isEmpty && fieldOf(mapping, column) === undefined,
  );
  return [
    ...warnings.map((warning) => warningText(warning, nameOf)),
    ...(unknown.length === 0 ? [] : [copy.unknown(unknown.map(({ name }) => name).join(', '))]),
  ];
}

function warningText(warning: TableWarning, nameOf: (column: number) => string): string {
  switch (warning.code) {
    case 'HEADING_DOUBLED':
      return copy.doubled(warning.heading);
    case 'HIDDEN_ROWS':
      return copy.warnings.HIDDEN_ROWS(warning.row, warning.count);
    case 'MERGED_CELLS':
      return copy.warnings.MERGED_CELLS(warning.count);
    default:
      return copy.warnings[warning.code](nameOf(warning.column), warning.row);
  }
}

/** Why the rows cannot be looked at yet. */
export function mappingProblemWords(
  problem: MappingProblem,
  headings: readonly Heading[],
  kind: BulkKind,
): string {
  switch (problem.code) {
    case 'HEADINGS_UNKNOWN':
      return copy.nothingMapped;
    case 'FIELDS_MISSING':
      return copy.missing(problem.fields.map((field) => commonCopy.fields[field]).join(copy.and), kind);
    case 'CONTACT_MISSING':
      return copy.contactMissing;
    case 'COLUMNS_NOT_JOINED':
      return copy.notJoined(commonCopy.fields[problem.field]);
    default:
      return mappingProblemText(problem, headings, kind);
  }
}
