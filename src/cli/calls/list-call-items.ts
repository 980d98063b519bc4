import type { Rollcall, Schemas } from '#client';
import { type CsvCell, csvLine } from '#sheets';
import { hasRun } from '../../contract/enums.js';
import { formatFields } from '../changes/format-change.js';
import { host } from '../host.js';
import { type ListOptions, type ListShape, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { createProgress } from '../terminal/progress.js';
import type { Call } from './format-call.js';

type Item = Schemas['CallItem'];

export interface ListCallItemsOptions extends ListOptions {
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

const previews: Readonly<Record<Schemas['Effect']['kind'], string>> = {
  created: 'would be created',
  updated: 'would change',
  rehired: 'would be rehired',
  deleted: 'would be removed',
  erased: 'would be erased',
  unchanged: 'unchanged',
};

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
