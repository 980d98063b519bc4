import {
  applyNameDecisions,
  bindRecipe,
  createSurveyor,
  entryFields,
  groupNames,
  type Heading,
  isCommonHeading,
  isUndecided,
  type MeaningOf,
  type MissingColumn,
  missingColumnText,
  type NameGroup,
  newSerialOf,
  openTable,
  type Recipe,
  type Row,
  recipeProblems,
  recipeProblemText,
  rowsText,
  type Survey,
  type SyncColumns,
  TableError,
  tableProblemText,
} from '#sheets';
import type { Attribute } from '../../contract/attributes.js';
import type { FeedRules } from '../../contract/feed-settings.js';
import type { Database } from '../../storage/database.js';
import { resolveNames } from '../directories/resolve-names.js';
import { FeedFailed } from './feed-failed.js';
import type { SourceColumn } from './limits/run-profile.js';
import { readFile } from './stored-file.js';

/** The file of a run, with one column for each field that its feed maps. */
export interface FeedTable {
  readonly headings: readonly Heading[];
  readonly columns: SyncColumns;
  /** The column with the day on which a row takes effect. */
  readonly effectiveDate: number | undefined;
  /** Where each field comes from. */
  readonly sources: Readonly<Record<string, SourceColumn>>;
  /** Can be read once. */
  readonly rows: AsyncIterable<Row>;
}

/** A workbook of a million users unpacks to 0.5 GB, of which little is in memory at a time. */
const inflatedBytesMax = 4_000_000_000;

/** Opens the stored file of a run. Fails if a column of the mapping is not in it. */
export async function openFeedTable(
  database: Database,
  fileOf: string,
  recipe: Recipe,
  attributes: readonly Attribute[],
): Promise<FeedTable> {
  const [flaw] = recipeProblems(recipe, attributes);
  if (flaw)
    throw new FeedFailed('MAPPING_OUTDATED', `The mapping cannot be used. ${recipeProblemText(flaw)}`);
  const { format, encoding, separator, sheet, headingRow } = recipe;
  const options = { format, encoding, separator, sheet, headingRow, inflatedBytesMax };
  const table = await openTable(readFile(database, fileOf), options).catch(unreadable);
  const bound = bindRecipe(recipe, table.headings);
  if (!bound.ok) {
    await table.close();
    const missing = bound.missing.map(withoutCells);
    throw new FeedFailed('COLUMNS_MISSING', missing.map(missingColumnText).join(' '), { missing });
  }
  const { headings, columns, effectiveDate, transform } = bound;
  const numbers = new Map(table.headings.map(({ letter, column }) => [letter, column + 1]));
  const sources = recipe.columns.flatMap(({ field }, at) => {
    const { letter = '', name = '' } = headings[at] ?? {};
    const number = numbers.get(letter);
    return number === undefined ? [] : [[field, { number, heading: name }] as const];
  });
  return {
    ...{ headings, columns, effectiveDate },
    sources: Object.fromEntries(sources),
    rows: transformed(table.rows, transform),
  };
}

async function* transformed(rows: AsyncIterable<Row>, transform: (row: Row) => Row): AsyncGenerator<Row> {
  try {
    for await (const row of rows) yield transform(row);
  } catch (error) {
    unreadable(error);
  }
}

/** Headings of a file without a heading row are cells. One that is common in HR files is not. */
function withoutCells(missing: MissingColumn): MissingColumn {
  if (missing.code !== 'COLUMN_MISSING') return missing;
  const { nearest, ...others } = missing;
  return nearest !== undefined && isCommonHeading(nearest) ? missing : others;
}

function unreadable(error: unknown): never {
  if (!(error instanceof TableError)) throw error;
  const { problem } = error;
  const text =
    problem.code === 'SHEET_UNKNOWN'
      ? `The workbook has no sheet named "${problem.sheet}".` // the names of the others come from the file
      : tableProblemText(problem);
  throw new FeedFailed('FILE_UNREADABLE', `The file cannot be used. ${text}`, { reason: problem.code });
}

/** Reads the whole file before anything is done: a truncated file must not be applied. */
export async function surveyTable(
  { rows, columns }: FeedTable,
  onRow: (rows: number) => void,
): Promise<Survey> {
  const surveyor = createSurveyor(columns);
  let seen = 0;
  for await (const row of rows) {
    surveyor.add(row);
    onRow(++seen);
  }
  return surveyor.survey();
}

const directories = { organizationSerial: 'organizations', tagSerials: 'tags' } as const;
const namesAtOnce = 1_000;
const rowsListedMax = 10;

/** What the names of organizations and tags in the file mean. Stops the run if somebody has to decide that. */
export async function meaningsIn(
  database: Database,
  { names }: Survey,
  rule: NonNullable<FeedRules['unknownNames']>,
  isStrict: boolean,
): Promise<MeaningOf> {
  const groups: NameGroup[] = [];
  for (const field of entryFields) {
    const written = names.names(field);
    for (let at = 0; at < written.length; at += namesAtOnce) {
      const some = written.slice(at, at + namesAtOnce);
      const asked = some.map(({ name }) => name);
      groups.push(...groupNames(field, some, await resolveNames(database, directories[field], asked)));
    }
  }
  const mayCreate = (group: NameGroup) => !isStrict && newSerialOf(group) !== undefined;
  const { undecided, meaningOf } = applyNameDecisions(groups, (group) => {
    if (!isUndecided(group) || group.match === 'ambiguous' || rule === 'stop') return undefined;
    if (rule === 'leaveOut') return { kind: 'leaveOut' };
    return mayCreate(group) ? { kind: 'create' } : undefined;
  });
  if (undecided.length === 0) return meaningOf;
  // Without the names: if columns have moved, they are personal data.
  const rows = [...new Set(undecided.map(({ firstRow }) => firstRow))].sort((a, b) => a - b);
  throw new FeedFailed(
    'NAMES_UNKNOWN',
    `${rowsText(rows)} ${rows.length === 1 ? 'has' : 'have'} organizations or tags that are not in the directory. Import the file once in the console to say what they mean, or change the rule for unknown names.`,
    { names: undecided.length, rows: rows.slice(0, rowsListedMax) },
  );
}
