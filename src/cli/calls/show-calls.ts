import { isRollcallError, type Rollcall, type Schemas } from '#client';
import { type CsvCell, csvLine } from '#sheets';
import { type CallKind, type CallState, hasRun } from '../../contract/enums.js';
import { changeList, formatFields, serialsOfChange } from '../changes/format-change.js';
import { host } from '../host.js';
import {
  type ListOptions,
  type ListShape,
  pageLimit,
  print,
  printJson,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { createProgress } from '../terminal/progress.js';
import { createUserNames, withNames } from '../user-names.js';
import { type Call, callList, formatCall, serialsOfCall } from './format-call.js';

const previews: Readonly<Record<Schemas['Effect']['kind'], string>> = {
  created: 'would be created',
  updated: 'would change',
  rehired: 'would be rehired',
  deleted: 'would be removed',
  erased: 'would be erased',
  unchanged: 'unchanged',
};

interface ListCallsOptions extends ListOptions {
  readonly kind?: CallKind | undefined;
  readonly state?: CallState | undefined;
  readonly actor?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `rollcall calls list` */
export async function listCalls(options: ListCallsOptions): Promise<void> {
  const { kind, state, actor, requestId, since, until } = options;
  const rollcall = connectInteractive();
  const query = { kind, state, actorId: actor, requestId, since, until, limit: pageLimit(options) };
  const calls = rollcall.each('listCalls', { query });
  const names = createUserNames(rollcall);
  await printList(
    options.json ? calls : withNames(calls, names, serialsOfCall),
    options,
    callList(names, 'No matches. Dry runs are not recorded.'),
  );
}

type Changes = AsyncIterable<Schemas['Change']>;

/** `rollcall calls show ID` */
export async function showCall(id: string, options: ListOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { data: call } = (await rollcall.call('getCall', { path: { id } })).body;
  const changes = rollcall.each('listChanges', { query: { callId: id, limit: pageLimit(options) } });
  if (options.json) return showAsJson(call, changes, options);
  const names = createUserNames(rollcall);
  for (const serial of serialsOfCall(call)) await names.load(serial);
  printRecord(call, options, () => formatCall(call, names));
  if (!hasRun(call.state)) {
    printMessage(`\nThe call has changed nothing. To see its preview: rollcall calls items ${id}`);
    return;
  }
  print('');
  const shape = changeList(names, 'The call changed nothing, or its changes are no longer kept.');
  await unlessNotAllowed(printList(withNames(changes, names, serialsOfChange), options, shape));
}

type Item = Schemas['CallItem'];

interface ListCallItemsOptions extends ListOptions {
  readonly failed?: boolean | undefined;
  readonly csv?: boolean | undefined;
}

/** `rollcall calls items ID` */
export async function listCallItems(id: string, options: ListCallItemsOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { data: call } = (await rollcall.call('getCall', { path: { id } })).body;
  const items = itemsOf(rollcall, id, options);
  return options.csv ? printCsv(call, items, options) : printList(items, options, itemList(call, options));
}

async function showAsJson(call: Call, changes: Changes, { all, limit = 0 }: ListOptions): Promise<void> {
  const shown: Schemas['Change'][] = [];
  const read = async () => {
    for await (const change of changes) {
      if (!all && shown.length === limit) return;
      shown.push(change);
    }
  };
  await unlessNotAllowed(read());
  printJson({ call, changes: shown });
}

/** Reading calls requires fewer permissions than reading changes. */
async function unlessNotAllowed(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isRollcallError(error, 'ACCESS_SCOPE_MISSING')) throw error;
    printMessage(`Cannot show the changes: ${error.detail}`);
  }
}

function itemsOf(
  rollcall: Rollcall,
  id: string,
  { failed, csv, ...options }: ListCallItemsOptions,
): AsyncIterable<Item> {
  const limit = pageLimit(csv ? { all: true } : options);
  const query = { outcome: failed ? ('failed' as const) : undefined, limit };
  return rollcall.each('listCallItems', { path: { id }, query });
}

function itemList(call: Call, { failed }: ListCallItemsOptions): ListShape<Item> {
  return {
    headings: ['POSITION', 'EMPLOYEE ID', 'OUTCOME', 'WHAT'],
    row: (item) => [String(item.position), item.employeeID ?? '', outcomeText(call, item), whatText(item)],
    empty: failed ? 'No item failed.' : 'The items of this call are not on record.',
  };
}

/** A call that has not run shows its preview. */
function outcomeText(call: Call, { outcome, effect }: Item): string {
  if (hasRun(call.state)) return outcome;
  return outcome === 'failed' ? 'would fail' : previews[effect?.kind ?? 'updated'];
}

function whatText({ error, effect }: Item): string {
  if (error) return error.reason ?? error.detail;
  return effect ? formatFields(effect.kind, effect.fields) : '';
}

/** All items, with a byte order mark, without which Excel takes UTF-8 for another encoding. */
async function printCsv(
  call: Call,
  items: AsyncIterable<Item>,
  { failed }: ListCallItemsOptions,
): Promise<void> {
  const total = { count: failed && hasRun(call.state) ? call.failed : call.items, isExact: true };
  const progress = createProgress({ doing: 'Reading', total, unit: 'items' });
  const write = (cells: readonly CsvCell[]) => host().stdout.write(csvLine(cells, { allTexts: true }));
  let read = 0;
  host().stdout.write('\uFEFF');
  write(['position', 'employeeID', 'outcome', 'serial', 'error', 'what']);
  try {
    for await (const item of items) {
      const { position, employeeID, serial, error } = item;
      write([position, employeeID, outcomeText(call, item), serial, error?.message, whatText(item)]);
      progress.at(++read);
    }
  } finally {
    progress.end();
  }
}
