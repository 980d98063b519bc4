import type { Heading, Mapping, MappingProblem } from '@rollcall/sheets';
import { bulkCopy, commonCopy, sheetsCopy } from '../../copy/copy.js';
import { fieldOf } from '../state/mapping.js';
import type { BulkKind } from '../state/service-calls.js';
import { columnName, tableWarningMessage } from '../state/sheet-messages.js';
import type { Format } from '../state/source.js';

const copy = bulkCopy.columns;

export function columnWarnings(mapping: Mapping, { headings, warnings }: Format): string[] {
  const unknown = headings.filter(
    ({ column, isEmpty }) => !isEmpty && fieldOf(mapping, column) === undefined,
  );
  return [
    ...warnings.map((warning) => tableWarningMessage(warning, headings)),
    ...(unknown.length === 0 ? [] : [copy.unknown(unknown.map(({ name }) => name).join(', '))]),
  ];
}

export function mappingProblemMessage(
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
    case 'COLUMN_TWICE':
      return sheetsCopy.columnTwice(
        columnName(headings, problem.column),
        problem.fields.map((field) => commonCopy.fields[field]),
      );
    case 'FIELD_NOT_ACCEPTED':
      return sheetsCopy.fieldNotAccepted(commonCopy.fields[problem.field]);
    case 'COLUMN_UNKNOWN':
      return sheetsCopy.columnUnknown(commonCopy.fields[problem.field]);
  }
}
