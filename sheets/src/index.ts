export { type AttributeValue, attributeRule, parseAttribute } from './attribute-cells.js';
export { type Attribute, type AttributeType, attributeFinder, attributeHeading } from './attributes.js';
export { type BindResult, type BoundRecipe, bindRecipe } from './bind-recipe.js';
export type { TableSource } from './bytes.js';
export { type EntryField, entryFields, type MeaningOf, readEmployeeID } from './cells.js';
export { encodeText } from './encode-text.js';
export {
  applyNameDecisions,
  createNameCollector,
  type DecidedNames,
  groupNames,
  isUndecided,
  type NameCollector,
  type NameDecision,
  type NamedEntry,
  type NameGroup,
  namesToRemember,
  newSerialOf,
  type RememberedName,
  type ResolvedName,
  type WrittenName,
} from './entry-names.js';
export {
  type AttributeField,
  attributeField,
  attributeIn,
  attributeKey,
  type FieldName,
  fieldsOf,
  isAttributeField,
  type MappedField,
  type Operation,
  requiredFieldsOf,
  ruleOf,
  typeOf,
} from './fields.js';
export { type FileTexts, fileTexts } from './file-texts.js';
export { attributeRules, fieldRules, operationFields, userFields } from './generated/rules.js';
export { type TextForm, textForms } from './generated/text-forms.js';
export { type GuessedAttribute, guessAttribute } from './guess-attribute.js';
export { columnLetter, type Heading } from './headings.js';
export { importNote, importNoteText } from './import-note.js';
export {
  createItemReader,
  type Item,
  type ItemOf,
  type ItemOptions,
  type ReadRow,
  type SyncItem,
} from './items.js';
export { listCell } from './lists.js';
export {
  checkMapping,
  type GuessedMapping,
  guessMapping,
  type Mapping,
  type MappingProblem,
  mappingProblemText,
  type UnmappedColumn,
} from './mapping.js';
export { missingForCreate } from './missing-for-create.js';
export { openTable, type Table, type TableFormat, type TableOptions } from './open-table.js';
export { personalReport, type ReportedActor, type ReportTexts } from './personal-report.js';
export {
  type ColumnWarningCode,
  type Encoding,
  type Lookalike,
  TableError,
  type TableProblem,
  type TableWarning,
} from './problems.js';
export {
  type ColumnRecipe,
  type ReadingOptions,
  type Recipe,
  type RecipeField,
  recipeLimits,
} from './recipe.js';
export {
  type RecipeOptions,
  type RecipeResult,
  recipeFrom,
  type UnnamedColumn,
  unnamedColumnText,
} from './recipe-from.js';
export { type MissingColumn, missingColumnText } from './recipe-headings.js';
export { type RecipeProblem, recipeProblems, recipeProblemText } from './recipe-problems.js';
export type { Row, RowNote, Uncertainty } from './row.js';
export {
  type ItemProblem,
  type RowProblem,
  type RowWarning,
  rowText,
  type UncertainReason,
} from './row-problems.js';
export {
  callsFor,
  type ItemResult,
  isRetryable,
  notFreed,
  outcomeOf,
  type SyncCall,
} from './sync/calls.js';
export { inChunks, prefetch } from './sync/chunks.js';
export { type Decision, decide, type Known, type KnownUser } from './sync/decide.js';
export { type EffectiveDate, readEffectiveDate } from './sync/effective-date.js';
export { FreedNames } from './sync/freed-names.js';
export { IdIndex } from './sync/id-index.js';
export {
  type ChunkOutcomes,
  deferredChunk,
  type Intent,
  type JournalEntry,
  type ResumeState,
  resumeStateOf,
  type SyncJournal,
} from './sync/journal.js';
export { inManagerOrder } from './sync/manager-order.js';
export {
  type DeactivateMax,
  deactivatePercentDefault,
  deactivation,
  type FoundMissing,
  findMissing,
  isMentioned,
  type MissingRules,
  mayDeactivate,
  percentNeeded,
  presenceOf,
  type TooManyMissing,
  type UnreadableIds,
} from './sync/missing-users.js';
export {
  type ChangeKind,
  changeKinds,
  type ItemEffect,
  kindOfEffect,
  type OutcomeKind,
  outcomeKinds,
  type SyncOutcome,
  Tally,
} from './sync/outcomes.js';
export { inRenameOrder, type RenameOrder } from './sync/rename-order.js';
export {
  createSyncRowReader,
  type FileRow,
  type SyncColumns,
  type SyncProblem,
  type SyncRow,
} from './sync/rows.js';
export { planSync, runSync, type SyncPlan } from './sync/run-sync.js';
export { type SafetyLimitCounts, safetyLimitText } from './sync/safety-limit.js';
export { createSurveyor, rowsText, type Survey } from './sync/survey.js';
export type { KnownUsers, MissingUsers, SyncRun, SyncTarget } from './sync/sync-run.js';
export { isCommonHeading } from './synonyms.js';
export { tableProblemText, tableWarningText } from './table-text.js';
export type { Separator } from './text/csv-scanner.js';
export { type CsvCell, type CsvOptions, csvLine, toCsv } from './to-csv.js';
export { toXlsx, type WorkbookOptions } from './to-xlsx.js';
export { numberNote, uncertaintyOf, uncertaintyOfType } from './uncertain.js';
