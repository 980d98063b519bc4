import type { ImportAction } from './actions.js';
import { fixesAfterEdit } from './fixes.js';
import { withAnswers } from './names.js';
import { createRowReader, findFirstRows, withFirstRows } from './row-reader.js';
import { isValid, missingUserOf, openRows, type Rows, withCells, withEntries, withMissing } from './rows.js';
import type { CellTexts, Check, CheckChunk, ImportState } from './state.js';

type ActionOf<Type extends ImportAction['type']> = Extract<ImportAction, { type: Type }>;

export function withCheck(state: ImportState, changes: Partial<Check>): ImportState {
  return state.check ? { ...state, check: { ...state.check, ...changes } } : state;
}

export function startCheck(state: ImportState, { open, check }: ActionOf<'checkStarted'>): ImportState {
  const { rows } = state;
  if (!rows) return state;
  const [problems, previews] = [rows.problems.slice(), rows.previews.slice()];
  for (const row of open) problems[row] = previews[row] = undefined;
  return {
    ...state,
    check,
    rows: withMissing({ ...rows, problems, previews, findings: new Map() }, [], state.missing.kept),
  };
}

export function addProblems(state: ImportState, { read, problems }: ActionOf<'problemsFound'>): ImportState {
  const { rows, check } = state;
  if (!rows || !check) return state;
  // An edit has already checked its row again.
  const current = problems.filter(([row]) => !check.edited.has(row));
  const found = { ...rows, problems: withEntries(rows.problems, current) };
  return withCheck({ ...state, rows: found }, { read });
}

export function addMissing(state: ImportState, { active, missing }: ActionOf<'usersListed'>): ImportState {
  const { rows } = state;
  if (!rows) return state;
  const listed = missing.length > 0 ? { rows: withMissing(rows, missing, state.missing.kept) } : {};
  return withCheck({ ...state, ...listed }, { active, state: 'listing' });
}

export function sendChunk(state: ImportState, { chunk }: ActionOf<'chunkSent'>): ImportState {
  const { check } = state;
  if (!check) return state;
  const edited = new Set(check.edited);
  for (const row of check.chunks[chunk]?.rows ?? []) edited.delete(row);
  return withCheck(state, { edited, queue: check.queue.filter((queued) => queued !== chunk) });
}

export function addPreviews(state: ImportState, action: ActionOf<'chunkPreviewed'>): ImportState {
  const { rows, check } = state;
  const chunk = check?.chunks[action.chunk];
  if (!rows || !check || !chunk) return state;
  const current = action.previews.filter(([row]) => !check.edited.has(row));
  const chunks = check.chunks.with(action.chunk, { ...chunk, safetyLimit: action.safetyLimit });
  return withCheck(
    { ...state, rows: { ...rows, previews: withEntries(rows.previews, current) } },
    { chunks },
  );
}

/** More edited rows than this take too long to check at once. */
export const editedAtOnceMax = 500;

/** Rows that are no longer invalid have to be previewed. */
export function addFindings(state: ImportState, { findings }: ActionOf<'findingsFound'>): ImportState {
  const { rows, check } = state;
  if (!rows || !check) return state;
  const found = { ...rows, findings };
  const restored = new Set(
    [...rows.findings.keys()].filter(
      (row) => !rows.previews[row] && !isValid(rows, row) && isValid(found, row),
    ),
  );
  const queue = new Set(check.queue);
  for (const [index, chunk] of restored.size > 0 ? check.chunks.entries() : []) {
    if (chunk.rows.some((row) => restored.has(row))) queue.add(index);
  }
  return withCheck({ ...state, rows: found }, { queue: [...queue] });
}

export function learn(state: ImportState, { knowledge }: ActionOf<'learned'>): ImportState {
  return state.check ? withCheck(state, { knowledge: { ...state.check.knowledge, ...knowledge } }) : state;
}

/** Rows that were edited meanwhile may have names that were unknown until now. */
export function learnNames(state: ImportState, { answers }: ActionOf<'namesLearned'>): ImportState {
  const { rows, check } = state;
  const names = withAnswers(state.names, answers);
  if (!rows || !check) return { ...state, names };
  const reader = createRowReader({ ...check.reader.rules, names });
  const problems = [...check.edited].map(
    (row) => [row, reader.problemsOf(rows, row, check.firstRows)] as const,
  );
  const read = { ...rows, problems: withEntries(rows.problems, problems) };
  return withCheck({ ...state, names, rows: read }, { reader });
}

export function editCells(state: ImportState, { column, texts }: ActionOf<'cellsEdited'>): ImportState {
  const { rows } = state;
  if (!rows) return state;
  const after = texts.filter(([row, text]) => rows.cells[row] && rows.cells[row][column] !== text);
  if (after.length === 0) return state;
  const before = after.map(([row]) => [row, rows.cells[row]?.[column] ?? ''] as const);
  const edits = [...state.edits, { column, before, after }];
  return { ...withTexts(state, column, after), edits };
}

export function undoEdit(state: ImportState): ImportState {
  const last = state.edits.at(-1);
  if (!last) return state;
  return { ...withTexts(state, last.column, last.before), edits: state.edits.slice(0, -1) };
}

/** Checks the rows again, and every row that shared an old or new employee ID with them. */
function withTexts(state: ImportState, column: number, changed: CellTexts): ImportState {
  const { rows: before, check } = state;
  if (!before || !check) return state;
  const { reader } = check;
  const rows = withCells(before, column, changed);
  const editedRows = changed.map(([row]) => row);
  const { affected, firstRows } = affectedBy(editedRows, column, check, before, rows);
  const problems = withEntries(
    rows.problems,
    affected.map((row) => [row, reader.problemsOf(rows, row, firstRows)] as const),
  );
  const changedRows = new Set(editedRows);
  const queue = new Set(check.queue);
  for (const [index, chunk] of check.chunks.entries()) {
    if (chunk.rows.some((row) => changedRows.has(row))) queue.add(index);
  }
  return withCheck(
    {
      ...state,
      rows: { ...rows, problems },
      unsentEdits: new Set([...state.unsentEdits, ...editedRows]),
    },
    {
      ...{ firstRows, queue: [...queue], edited: new Set([...check.edited, ...editedRows]) },
      fixes: fixesAfterEdit(check.fixes, column, changedRows),
    },
  );
}

/** The edited rows, and those that have an employee ID from before or after the edit. */
function affectedBy(edited: readonly number[], column: number, check: Check, before: Rows, rows: Rows) {
  const { reader, firstRows, state } = check;
  if (edited.length > editedAtOnceMax) return { affected: [], firstRows };
  if (column !== reader.idColumn) return { affected: edited, firstRows };
  const ids = new Set(edited.flatMap((row) => [reader.idOf(before, row), reader.idOf(rows, row)]));
  const open = openRows(rows);
  const affected = open.filter((row) => ids.has(reader.idOf(rows, row)));
  return {
    affected,
    // While the rows are read, the first ones are not known yet.
    firstRows:
      state === 'reading'
        ? findFirstRows(reader, rows, open)
        : withFirstRows(firstRows, ids, reader, rows, affected),
  };
}

/** The user of the row stays as they are, also if those who are missing from the file are deactivated. */
export function leaveOutRow(state: ImportState, { row }: ActionOf<'rowLeftOut'>): ImportState {
  const { rows: before, check } = state;
  if (!before || !check || missingUserOf(before, row)) return state;
  const rows = { ...before, leftOut: new Set([...before.leftOut, row]) };
  const { reader, state: step } = check;
  const open = openRows(rows);
  const id = reader.idOf(rows, row);
  const sharing = open.filter((other) => reader.idOf(rows, other) === id);
  const firstRows =
    step === 'reading'
      ? findFirstRows(reader, rows, open)
      : withFirstRows(check.firstRows, new Set([id]), reader, rows, sharing);
  const problems = sharing.map((other) => [other, reader.problemsOf(rows, other, firstRows)] as const);
  const chunk = check.chunks.findIndex((each) => each.rows.includes(row));
  const without = (each: CheckChunk) => ({ ...each, rows: each.rows.filter((other) => other !== row) });
  return withCheck(
    { ...state, rows: { ...rows, problems: withEntries(rows.problems, problems) } },
    {
      firstRows,
      chunks: check.chunks.map((each, at) => (at === chunk ? without(each) : each)),
      queue: [...new Set([...check.queue, ...(chunk === -1 ? [] : [chunk])])],
      fixes: check.fixes.flatMap((fix) => fixesAfterEdit([fix], fix.column, new Set([row]))),
    },
  );
}

export function keepMissingUser(state: ImportState, { row }: ActionOf<'missingUserKept'>): ImportState {
  const { rows, missing } = state;
  const user = rows && missingUserOf(rows, row);
  if (!user) return state;
  return {
    ...state,
    missing: { ...missing, kept: new Set([...missing.kept, user.employeeID]) },
    rows: { ...rows, kept: new Set([...rows.kept, row]) },
  };
}
