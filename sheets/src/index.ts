export type { TableSource } from './bytes.js';
export { type FieldName, fieldsOf, type Operation, requiredFieldsOf, ruleOf } from './fields.js';
export { fieldRules, operationFields } from './generated/rules.js';
export type { Heading } from './headings.js';
export {
  createItemReader,
  type Item,
  type ItemOptions,
  type ReadRow,
  type RowProblem,
  type RowWarning,
} from './items.js';
export {
  checkMapping,
  type GuessedMapping,
  guessMapping,
  type Mapping,
  type MappingProblem,
  mappingProblemText,
  type UnmappedColumn,
} from './mapping.js';
export { openTable, type Table, type TableFormat, type TableOptions } from './open-table.js';
export {
  type ColumnWarningCode,
  type Encoding,
  type Lookalike,
  TableError,
  type TableProblem,
  type TableWarning,
} from './problems.js';
export type { Row, RowNote } from './row.js';
export type { Separator } from './text/csv-scanner.js';
export { type CsvCell, type CsvOptions, csvLine, toCsv } from './to-csv.js';
