import type { Schemas, ServiceError } from '@rollcall/client';
import { attributeField, createSurveyor, type Survey } from '@rollcall/sheets';
import type { QuarantinedName } from '../../components/error-message.js';
import {
  createYieldToBrowser,
  forEachInSlices,
  mapInSlices,
  nextTask,
} from '../../components/yield-to-browser.js';
import { activityCopy } from '../../copy/copy.js';
import { changeOf } from '../state/changes.js';
import type { Dependencies } from '../state/dependencies.js';
import type { KnownUser } from '../state/knowledge.js';
import type { EffectFields, ItemReport } from '../state/report.js';
import { rowMessages } from '../state/row-messages.js';
import { createRowReader, type RowReader, readItems, sheetRow } from '../state/row-reader.js';
import {
  type ChangedFields,
  isValid,
  noRows,
  openRows,
  type Preview,
  type RowProblem,
  type Rows,
} from '../state/rows.js';
import type { Item } from '../state/service-calls.js';
import { estimateBytes, sendingOrder, splitIntoCalls } from '../state/split-into-calls.js';
import type { Check, CheckChunk, ImportState } from '../state/state.js';
import type { ImportStore } from '../state/store.js';
import { findEmailOwners } from './email-owners.js';
import { findFindings } from './find-findings.js';
import { findFormerHolders, offerCurrentIDs } from './former-ids.js';
import { offerToTurnNames } from './last-name-first.js';
import { learnNames } from './learn-names.js';
import { findLostZeros } from './lost-zeros.js';
import { listMissing } from './missing-users.js';
import { skippableColumn } from './skip-column.js';
import { offerToJoinIDs } from './spaced-ids.js';

/** Often enough to show progress, and seldom enough not to slow down the check. */
const progressIntervalMs = 250;

/** Checks every open row: first on its own, then by a preview of the service. */
export async function startCheck(store: ImportStore, dependencies: Dependencies): Promise<void> {
  store.dispatch({ type: 'proposalsAccepted' });
  const { rows, check } = store.getState();
  const reader = readerFor(store.getState());
  if (!rows || !reader) return;
  check?.abort.abort();
  const abort = new AbortController();
  const open = openRows(rows);
  const firstRows = new Map<string, number>();
  store.dispatch({
    type: 'checkStarted',
    open,
    check: {
      reader,
      firstRows,
      survey: undefined,
      active: undefined,
      chunks: [],
      queue: [],
      edited: new Set(),
      fixes: [],
      knowledge: { emailOwners: new Map(), formerHolders: new Map() },
      abort,
      read: 0,
      isRead: false,
      state: 'reading',
      error: undefined,
    },
  });
  await nextTask(); // shows the empty step
  try {
    await learnNames(store, 'all', abort.signal, dependencies);
  } catch (error) {
    return stopCheck(store, error, abort.signal, dependencies);
  }
  if (abort.signal.aborted) return;
  await findProblems(store, firstRows, abort.signal);
  const survey = await surveyRows(store.getState());
  if (abort.signal.aborted) return;
  store.dispatch({ type: 'rowsRead', survey });
  await nextTask();
  await continueCheck(store, abort.signal, dependencies);
}

function readerFor(state: ImportState): RowReader | undefined {
  const { format, mapping, attributes, emptyCells, names, missing } = state;
  if (!format) return undefined;
  const { headings } = format;
  return createRowReader({ headings, mapping, attributes, emptyCells, names, isComplete: missing.isOn });
}

/** Whether the last check was made with the current mapping and options. */
export function isCheckCurrent({ check, mapping, emptyCells, names, missing }: ImportState): boolean {
  const rules = check?.reader.rules;
  if (rules?.mapping !== mapping || rules.names !== names) return false;
  return rules.emptyCells === emptyCells && rules.isComplete === missing.isOn;
}

async function findProblems(
  store: ImportStore,
  /** Filled on the way, because the rows of a large file take a while. */
  firstRows: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  const open = openRows(store.getState().rows ?? noRows);
  const yieldToBrowser = createYieldToBrowser();
  let problems: [number, readonly RowProblem[] | undefined][] = [];
  let reportedAt = performance.now();
  const report = (read: number) => {
    store.dispatch({ type: 'problemsFound', read, problems });
    problems = [];
    reportedAt = performance.now();
  };
  for (const [index, row] of open.entries()) {
    const { rows, check } = store.getState(); // cells can be edited meanwhile
    if (!rows || !check) return;
    const { reader } = check;
    const id = reader.idOf(rows, row);
    if (id !== '' && !firstRows.has(id)) firstRows.set(id, row);
    const found = reader.problemsOf(rows, row, check.firstRows);
    if (found) problems.push([row, found]);
    if (index % 100 !== 0) continue;
    await yieldToBrowser();
    if (signal.aborted) return;
    if (performance.now() - reportedAt > progressIntervalMs) report(index);
  }
  report(open.length);
}

/** What remains once every row has been checked on its own. */
async function continueCheck(
  store: ImportStore,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<void> {
  if (signal.aborted) return;
  const isFirstTime = store.getState().check?.state !== 'checked';
  try {
    if (needsUsers(store.getState())) await listMissing(store, signal, dependencies);
    if (signal.aborted) return;
    if (store.getState().check?.chunks.length === 0) {
      store.dispatch(planChunks(store.getState(), store.getState().itemsPerCall));
      await nextTask();
    }
    if (signal.aborted) return;
    await previewAndCompare(store, signal, dependencies);
    await nextTask();
    if (signal.aborted) return;
    // Only an offer, and made once: whoever edits cells has seen it.
    if (isFirstTime) {
      offerToSkipColumn(store);
      offerToTurnNames(store);
      offerToJoinIDs(store);
      await findLostZeros(store, signal, dependencies).catch(() => {});
    }
    if (!signal.aborted) await advise(store, signal, dependencies);
    if (!signal.aborted && isFirstTime) offerCurrentIDs(store);
  } catch (error) {
    stopCheck(store, error, signal, dependencies);
  }
}

function stopCheck(
  store: ImportStore,
  error: unknown,
  signal: AbortSignal,
  { classifyError }: Dependencies,
): void {
  if (signal.aborted) return;
  const state = classifyError(error).kind === 'session' ? 'session' : 'stopped';
  store.dispatch({ type: 'checkStopped', state, error });
}

function offerToSkipColumn(store: ImportStore): void {
  const { rows, check } = store.getState();
  const fix = rows && check && skippableColumn(rows, check.reader);
  if (fix) store.dispatch({ type: 'fixFound', fix });
}

/** Warnings for which the service has to be asked more. The import can do without them. */
async function advise(store: ImportStore, signal: AbortSignal, dependencies: Dependencies): Promise<void> {
  await findFormerHolders(store, signal, dependencies).catch(() => {});
  await findEmailOwners(store, signal, dependencies).catch(() => {});
  await findFindings(store, signal);
}

function needsUsers({ missing, check }: ImportState): boolean {
  return missing.isOn && check !== undefined && check.active?.users === undefined;
}

async function surveyRows({ rows = noRows, mapping }: ImportState): Promise<Survey> {
  const surveyor = createSurveyor({ mapping });
  await forEachInSlices(rows.cells.keys(), (row) => {
    if (!rows.leftOut.has(row) || namesUser(rows, row, mapping)) surveyor.add(sheetRow(rows, row));
  });
  return surveyor.survey();
}

/** A row that is left out still says that its user isn't missing. A total names nobody. */
function namesUser(rows: Rows, row: number, mapping: ImportState['mapping']): boolean {
  const alone = createSurveyor({ mapping });
  alone.add(sheetRow(rows, row));
  return alone.survey().unreadable.count === 0;
}

function planChunks({ rows = noRows, check }: ImportState, itemsPerCall: number) {
  const calls = splitIntoCalls(sendingOrder(rows, openRows(rows), check?.reader, check?.survey), {
    itemsPerCall,
    bytesOf: (row) => estimateBytes(rows.cells[row] ?? []),
  });
  const chunks: CheckChunk[] = calls.map((chunk) => ({ rows: chunk, safetyLimit: undefined }));
  return { type: 'chunksPlanned', chunks, itemsPerCall } as const;
}

/** For a row that is no longer rejected, although it has not been edited. */
export async function recheckRow(store: ImportStore, row: number, dependencies: Dependencies): Promise<void> {
  const chunk = store.getState().check?.chunks.findIndex(({ rows }) => rows.includes(row)) ?? -1;
  if (chunk !== -1) store.dispatch({ type: 'chunkQueued', chunk });
  await resumeCheck(store, dependencies);
}

/** After an edit, a lost connection or a new sign-in. */
export async function resumeCheck(store: ImportStore, dependencies: Dependencies): Promise<void> {
  const { check } = store.getState();
  if (!check || isBusy(check.state)) return;
  if (!check.isRead) return startCheck(store, dependencies);
  await continueCheck(store, check.abort.signal, dependencies);
}

function isBusy(state: 'reading' | 'listing' | 'previewing' | 'stopped' | 'session' | 'checked'): boolean {
  return state === 'reading' || state === 'listing' || state === 'previewing';
}

/** Rows that turn out to be valid only by a comparison with others are previewed as well. */
async function previewAndCompare(
  store: ImportStore,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<void> {
  store.dispatch({ type: 'previewStarted' });
  await findFindings(store, signal);
  do {
    await previewChunks(store, signal, dependencies);
    await findFindings(store, signal);
    if (signal.aborted) return;
  } while ((store.getState().check?.queue.length ?? 0) > 0);
  store.dispatch({ type: 'checkFinished' });
}

async function previewChunks(
  store: ImportStore,
  signal: AbortSignal,
  dependencies: Dependencies,
): Promise<void> {
  for (;;) {
    await learnNames(store, store.getState().check?.edited ?? [], signal, dependencies);
    if (signal.aborted) return;
    const { check } = store.getState();
    const next = check?.queue[0];
    const chunk = next === undefined ? undefined : check?.chunks[next];
    if (next === undefined || !chunk) break;
    store.dispatch({ type: 'chunkSent', chunk: next });
    try {
      await previewChunk(store, next, signal, dependencies);
    } catch (error) {
      if (signal.aborted) return;
      const isTooLarge = dependencies.classifyError(error).kind === 'tooLarge' && chunk.rows.length > 1;
      if (!isTooLarge) {
        store.dispatch({ type: 'chunkQueued', chunk: next });
        throw error;
      }
      store.dispatch(planChunks(store.getState(), Math.ceil(chunk.rows.length / 2)));
    }
    if (signal.aborted) return;
  }
}

async function previewChunk(
  store: ImportStore,
  index: number,
  signal: AbortSignal,
  { calls, classifyError }: Dependencies,
): Promise<void> {
  const { rows, check } = store.getState();
  const chunk = check?.chunks[index];
  if (!rows || !check || !chunk) return;
  const sent = chunk.rows.filter((row) => isValid(rows, row));
  const items = await readItems(check.reader, rows, sent);
  let safetyLimit: string | undefined;
  const reports = await previewWithManagers(items, check, preview);
  const users = await calls.users(usersIn(reports), signal);
  if (signal.aborted) return;
  await nextTask(); // the response has just been parsed
  const messageOf = rowMessages(rows, sent);
  const previews = await mapInSlices(reports, (report, at) => {
    const after = items[at]?.managerEmployeeID ?? '';
    return [sent[at] as number, previewOf(report, messageOf, { users, after })] as const;
  });
  if (signal.aborted) return;
  store.dispatch({ type: 'chunkPreviewed', chunk: index, safetyLimit, previews });
  await nextTask(); // which shows them

  async function preview(some: readonly Item[]): Promise<readonly ItemReport[]> {
    if (some.length === 0) return [];
    const request = (confirm?: number) => calls.preview(some, { confirm, signal });
    return request().catch((error: unknown) => {
      const problem = classifyError(error);
      if (problem.kind !== 'safetyLimit') throw error;
      safetyLimit = problem.message;
      return request(problem.confirm); // a preview changes nothing
    });
  }
}

/**
 * The preview of a part creates nobody, so that managers from other parts of the file are missing in it. Rows that wait
 * for one of them are previewed without, and count as changed.
 */
async function previewWithManagers(
  items: readonly Item[],
  { chunks, survey }: Pick<Check, 'chunks' | 'survey'>,
  preview: (items: readonly Item[]) => Promise<readonly ItemReport[]>,
): Promise<readonly ItemReport[]> {
  const reports = await preview(items);
  if (chunks.length < 2) return reports;
  const isWaiting = (report: ItemReport) =>
    !report.ok &&
    report.error.name === 'USER_MANAGER_NOT_FOUND' &&
    survey?.ids.has(report.error.data.managerEmployeeID ?? '') === true;
  const waiting = items.filter((_, at) => isWaiting(reports[at] as ItemReport));
  const again = (await preview(waiting.map(({ managerEmployeeID: _, ...item }) => item as Item))).values();
  return reports.map((report) => (isWaiting(report) ? withManager(again.next().value ?? report) : report));
}

function withManager(report: ItemReport): ItemReport {
  if (!report.ok) return report;
  const { kind = 'unchanged', fields = {} } = report.effect ?? {};
  const effect = {
    kind: kind === 'unchanged' ? 'updated' : kind,
    fields: { ...fields, managerSerial: {} },
  } as const;
  return { ok: true, effect };
}

/** The serials of the users to name: managers of before, and those who have what a row needs. */
function usersIn(reports: readonly ItemReport[]): string[] {
  const serials = reports.map((report) =>
    report.ok ? report.effect?.fields.managerSerial?.before : otherIn(report.error),
  );
  return [...new Set(serials)].filter((serial) => typeof serial === 'string');
}

/** The serial of the user who has what the row needs, unless another row of the file is about them. */
function otherIn({ data }: ServiceError): string | null | undefined {
  const { takenBy } = data as { readonly takenBy?: Pick<Schemas['TakenBy'], 'serial' | 'position'> };
  return takenBy?.position === null ? takenBy.serial : undefined;
}

interface Known {
  /** By serial. */
  readonly users: ReadonlyMap<string, KnownUser>;
  /** The employee ID of the manager in the file. */
  readonly after: string;
}

function previewOf(report: ItemReport, messageOf: ReturnType<typeof rowMessages>, known: Known): Preview {
  if (!report.ok) {
    const { error } = report;
    return {
      kind: 'rejected',
      message: messageOf(report),
      quarantined: quarantinedIn(error),
      user: known.users.get(otherIn(error) ?? ''),
      ...fieldIn(error),
    };
  }
  const effect = report.effect ?? { kind: 'unchanged', fields: {} };
  const { managerSerial, ...fields } = effect.fields;
  return {
    ...{ kind: 'accepted', change: changeOf(effect) },
    fields: managerSerial ? { ...fields, managerEmployeeID: managerChange(managerSerial, known) } : fields,
  };
}

function managerChange(
  { before }: NonNullable<EffectFields['managerSerial']>,
  { users, after }: Known,
): ChangedFields['managerEmployeeID'] {
  if (typeof before !== 'string') return { after };
  return { before: users.get(before)?.employeeID ?? activityCopy.actors.removed, after };
}

/** Unless another row of the file gives the name up. */
function quarantinedIn(error: ServiceError): QuarantinedName | undefined {
  if (error.name !== 'USER_EMPLOYEE_ID_EXISTS' && error.name !== 'USER_USERNAME_EXISTS') return undefined;
  const { quarantined } = error.data;
  return quarantined?.position === null ? quarantined : undefined;
}

function fieldIn({ name, data }: ServiceError): { readonly field?: string } {
  if (name === 'USER_MANAGER_NOT_FOUND' || name === 'USER_MANAGER_CYCLE')
    return { field: 'managerEmployeeID' };
  if (name === 'USER_CONTACT_REQUIRED') return { field: 'email' };
  if (name === 'USER_EMPLOYEE_ID_EXISTS') return { field: 'newEmployeeID' };
  if (name === 'USER_USERNAME_EXISTS') return { field: 'username' };
  if (name === 'USER_NOT_FOUND') return { field: 'employeeID' };
  const { field, attribute } = data as { readonly field?: unknown; readonly attribute?: unknown };
  if (typeof attribute === 'string') return { field: attributeField(attribute) };
  return typeof field === 'string' ? { field } : {};
}
