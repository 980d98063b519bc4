import type { Tools } from '../state/dependencies.js';
import { type ItemReport, safetyLimitOf } from '../state/report.js';
import { rowMessages } from '../state/row-messages.js';
import { type Checker, createChecker } from '../state/row-reader.js';
import { forgetCellNotes, isFit, openRows, type Preview, type Rows } from '../state/rows.js';
import type { Item } from '../state/service-calls.js';
import { bytesOfCells, cutIntoCalls } from '../state/split-into-calls.js';
import type { Wizard } from '../state/wizard.js';
import { createBreath } from '../state/yield-to-browser.js';

/** Rows that are previewed by one call. */
export interface CheckPart {
  readonly rows: readonly number[];
  /** What the brake says of it. */
  brake: string | undefined;
}

/** A check under way, or what one has come to. */
export interface Check {
  readonly checker: Checker;
  parts: CheckPart[];
  readonly queue: CheckPart[];
  /** Rows that were mended after they were last sent to be previewed. */
  readonly mended: Set<number>;
  readonly abort: AbortController;
  state: 'reading' | 'previewing' | 'stopped' | 'session' | 'checked';
  error: unknown;
}

/** Looks at every row that is still to be done: first by itself, then by a preview of the service. */
export async function startCheck(wizard: Wizard, checker: Checker, tools: Tools): Promise<void> {
  const { rows } = wizard;
  if (!rows) return;
  wizard.check?.abort.abort();
  const check: Check = {
    checker,
    parts: [],
    queue: [],
    mended: new Set(),
    abort: new AbortController(),
    state: 'reading',
    error: undefined,
  };
  wizard.check = check;
  const open = openRows(rows);
  const breathe = createBreath();
  for (const [index, row] of open.entries()) {
    rows.previews[row] = undefined;
    checker.note(row);
    rows.problems[row] = checker.problemsOf(row);
    if (index % 100 !== 0) continue;
    await breathe();
    if (check.abort.signal.aborted) return;
    wizard.news.changed();
  }
  cut(wizard, check, open);
  await goOnChecking(wizard, tools);
}

function cut(wizard: Wizard, check: Check, open: readonly number[]): void {
  const { rows, itemsPerCall } = wizard;
  if (!rows) return;
  const bytesOf = (row: number) => bytesOfCells(rows.cells[row] ?? []);
  check.parts = cutIntoCalls(open, { itemsPerCall, bytesOf }).map((part) => ({
    rows: part,
    brake: undefined,
  }));
  check.queue.splice(0, check.queue.length, ...check.parts);
}

/** After a mend, a lost connection or a new session. */
export async function goOnChecking(wizard: Wizard, tools: Tools): Promise<void> {
  const { rows, check } = wizard;
  if (!rows || !check || check.abort.signal.aborted || check.state === 'previewing') return;
  check.state = 'previewing';
  check.error = undefined;
  for (let part = check.queue.shift(); part; part = check.queue.shift()) {
    wizard.news.changed();
    try {
      await previewPart(wizard, check, part, tools);
    } catch (error) {
      if (check.abort.signal.aborted) return;
      const trouble = tools.troubleOf(error);
      if (trouble === 'tooLarge' && part.rows.length > 1) {
        wizard.itemsPerCall = Math.ceil(part.rows.length / 2);
        cut(wizard, check, openRows(rows));
        continue;
      }
      check.queue.unshift(part);
      check.state = trouble === 'session' ? 'session' : 'stopped';
      check.error = error;
      wizard.news.changed();
      return;
    }
  }
  check.state = 'checked';
  wizard.news.changed();
}

async function previewPart(wizard: Wizard, check: Check, part: CheckPart, tools: Tools): Promise<void> {
  const rows = wizard.rows as Rows;
  const { signal } = check.abort;
  const sent = part.rows.filter((row) => isFit(rows, row));
  for (const row of part.rows) check.mended.delete(row);
  if (sent.length === 0) return;
  const items = await itemsOf(check.checker, sent);
  const ask = (confirm?: number) => tools.calls.preview(wizard.kind, items, { confirm, signal });
  part.brake = undefined;
  const reports = await ask().catch((error: unknown) => {
    const brake = safetyLimitOf(error);
    if (!brake) throw error;
    part.brake = brake.sentence;
    return ask(brake.confirm);
  });
  const messageOf = rowMessages(rows, sent);
  for (const [position, report] of reports.entries()) {
    const row = sent[position] as number;
    if (!check.mended.has(row)) rows.previews[row] = previewOf(report, messageOf);
  }
}

/** Items are made when they are needed and not kept: they would take as much memory as the file once more. */
export async function itemsOf(checker: Checker, rows: readonly number[]): Promise<Item[]> {
  const breathe = createBreath();
  const items: Item[] = [];
  for (const row of rows) {
    const item = checker.itemOf(row);
    if (!item) throw new Error('a row that is wrong by itself is not sent');
    items.push(item);
    if (items.length % 100 === 0) await breathe();
  }
  return items;
}

function previewOf(report: ItemReport, messageOf: ReturnType<typeof rowMessages>): Preview {
  if (!report.ok) return { kind: 'refused', detail: messageOf(report) };
  const { kind = 'unchanged', fields = {} } = report.effect ?? {};
  return { kind: kind === 'deleted' ? 'updated' : kind, fields };
}

/** Puts a text into a cell; the row, and whoever its employee ID concerns, is looked at again. */
export function mend(wizard: Wizard, row: number, column: number, text: string): boolean {
  const { rows, check } = wizard;
  const cells = rows?.cells[row];
  if (!rows || !check || !cells || cells[column] === text) return false;
  const idBefore = check.checker.idOf(row);
  rows.cells[row] = cells.with(column, text);
  forgetCellNotes(rows, row, column);
  rows.previews[row] = undefined;
  rows.outcomes[row] = undefined;
  const others = check.checker.idOf(row) === idBefore ? [] : check.checker.noteMended(row, idBefore);
  for (const other of new Set([row, ...others])) rows.problems[other] = check.checker.problemsOf(other);
  check.mended.add(row);
  const part = check.parts.find((candidate) => candidate.rows.includes(row));
  if (part && !check.queue.includes(part)) check.queue.push(part);
  wizard.news.tell();
  return true;
}

export function newChecker(wizard: Wizard): Checker | undefined {
  const { rows, format, kind, mapping, emptyMeans } = wizard;
  if (!rows || !format) return undefined;
  return createChecker({ kind, headings: format.headings, mapping, emptyMeans }, rows);
}
