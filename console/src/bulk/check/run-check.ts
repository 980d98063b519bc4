import type { Dependencies } from '../state/dependencies.js';
import type { ItemReport } from '../state/report.js';
import { rowMessages } from '../state/row-messages.js';
import { createRowReader, findFirstRows, type RowReader, readItems } from '../state/row-reader.js';
import { isValid, openRows, type Preview, type RowProblem, type Rows } from '../state/rows.js';
import { estimateBytes, splitIntoCalls } from '../state/split-into-calls.js';
import type { BulkState, CheckChunk } from '../state/state.js';
import type { BulkStore } from '../state/store.js';
import { createYieldToBrowser } from '../state/yield-to-browser.js';

/** Often enough to show progress, and seldom enough not to slow down the check. */
const progressIntervalMs = 100;

/** Checks every open row: first on its own, then by a preview of the service. */
export async function startCheck(store: BulkStore, dependencies: Dependencies): Promise<void> {
  const { rows, check } = store.getState();
  const reader = readerFor(store.getState());
  if (!rows || !reader) return;
  check?.abort.abort();
  const abort = new AbortController();
  const open = openRows(rows);
  store.dispatch({
    type: 'checkStarted',
    open,
    check: {
      reader,
      firstRows: findFirstRows(reader, rows, open),
      chunks: [],
      queue: [],
      edited: new Set(),
      abort,
      state: 'reading',
      error: undefined,
    },
  });
  await findProblems(store, reader, open, abort.signal);
  if (abort.signal.aborted) return;
  store.dispatch(planChunks(store.getState(), store.getState().itemsPerCall));
  await previewChunks(store, abort.signal, dependencies);
}

function readerFor({ format, kind, mapping, emptyCells }: BulkState): RowReader | undefined {
  return format && createRowReader({ kind, headings: format.headings, mapping, emptyCells });
}

/** Whether the last check was made with the current mapping. */
export function isCheckCurrent({ check, mapping, emptyCells }: BulkState): boolean {
  const rules = check?.reader.rules;
  return rules?.mapping === mapping && rules.emptyCells === emptyCells;
}

async function findProblems(
  store: BulkStore,
  reader: RowReader,
  open: readonly number[],
  signal: AbortSignal,
): Promise<void> {
  const yieldToBrowser = createYieldToBrowser();
  let problems: [number, readonly RowProblem[] | undefined][] = [];
  let reportedAt = performance.now();
  const report = () => {
    store.dispatch({ type: 'problemsFound', problems });
    problems = [];
    reportedAt = performance.now();
  };
  for (const [index, row] of open.entries()) {
    const { rows, check } = store.getState(); // cells can be edited meanwhile
    if (!rows || !check) return;
    const found = reader.problemsOf(rows, row, check.firstRows);
    if (found) problems.push([row, found]);
    if (index % 100 !== 0) continue;
    await yieldToBrowser();
    if (signal.aborted) return;
    if (performance.now() - reportedAt > progressIntervalMs) report();
  }
  report();
}

function planChunks({ rows }: BulkState, itemsPerCall: number) {
  const chunks: CheckChunk[] = rows
    ? splitIntoCalls(openRows(rows), {
        itemsPerCall,
        bytesOf: (row) => estimateBytes(rows.cells[row] ?? []),
      }).map((chunk) => ({ rows: chunk, safetyLimit: undefined }))
    : [];
  return { type: 'chunksPlanned', chunks, itemsPerCall } as const;
}

/** After an edit, a lost connection or a new sign-in. */
export async function resumeCheck(store: BulkStore, dependencies: Dependencies): Promise<void> {
  const { check } = store.getState();
  if (!check || check.state === 'reading' || check.state === 'previewing') return;
  await previewChunks(store, check.abort.signal, dependencies);
}

async function previewChunks(
  store: BulkStore,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<void> {
  store.dispatch({ type: 'previewStarted' });
  for (;;) {
    const { check } = store.getState();
    const next = check?.queue[0];
    const chunk = next === undefined ? undefined : check?.chunks[next];
    if (next === undefined || !chunk) break;
    store.dispatch({ type: 'chunkSent', chunk: next });
    try {
      await previewChunk(store, next, signal, dependencies);
    } catch (error) {
      if (signal.aborted) return;
      const { kind } = dependencies.classifyError(error);
      if (kind !== 'tooLarge' || chunk.rows.length < 2) {
        const state = kind === 'session' ? 'session' : 'stopped';
        return store.dispatch({ type: 'previewStopped', chunk: next, state, error });
      }
      store.dispatch(planChunks(store.getState(), Math.ceil(chunk.rows.length / 2)));
    }
    if (signal.aborted) return;
  }
  store.dispatch({ type: 'checkFinished' });
}

async function previewChunk(
  store: BulkStore,
  index: number,
  signal: AbortSignal,
  { calls, classifyError }: Dependencies,
): Promise<void> {
  const { rows, check, kind } = store.getState();
  const chunk = check?.chunks[index];
  if (!rows || !check || !chunk) return;
  const sent = chunk.rows.filter((row) => isValid(rows, row));
  let safetyLimit: string | undefined;
  const reports: readonly ItemReport[] = sent.length === 0 ? [] : await preview();
  if (signal.aborted) return;
  const messageOf = rowMessages(rows, sent);
  const previews = reports.map((report, at) => [sent[at] as number, previewOf(report, messageOf)] as const);
  store.dispatch({ type: 'chunkPreviewed', chunk: index, safetyLimit, previews });

  async function preview(): Promise<readonly ItemReport[]> {
    const items = await readItems((check as NonNullable<typeof check>).reader, rows as Rows, sent);
    const request = (confirm?: number) => calls.preview(kind, items, { confirm, signal });
    return request().catch((error: unknown) => {
      const problem = classifyError(error);
      if (problem.kind !== 'safetyLimit') throw error;
      safetyLimit = problem.message;
      return request(problem.confirm); // a preview changes nothing
    });
  }
}

function previewOf(report: ItemReport, messageOf: ReturnType<typeof rowMessages>): Preview {
  if (!report.ok) return { kind: 'rejected', message: messageOf(report) };
  const { kind = 'unchanged', fields = {} } = report.effect ?? {};
  const known = kind === 'deleted' || kind === 'erased' || kind === 'rehired' ? 'updated' : kind;
  return { kind: known, fields };
}

/** Whether the text of the cell has changed; the row is then to be previewed again. */
export function editCell(store: BulkStore, row: number, column: number, text: string): boolean {
  const before = store.getState();
  store.dispatch({ type: 'cellEdited', row, column, text });
  return store.getState() !== before;
}
