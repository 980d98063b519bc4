import { guessMapping, openTable, type ResolvedName, type RowNote, type TableSource } from '@rollcall/sheets';
import type { Attribute } from '../../../console/src/components/attribute-value.js';
import { startCheck } from '../../../console/src/import/check/run-check.js';
import type { CallError, Dependencies } from '../../../console/src/import/state/dependencies.js';
import type { ItemReport } from '../../../console/src/import/state/report.js';
import { noRows } from '../../../console/src/import/state/rows.js';
import type { ImportCalls, Item } from '../../../console/src/import/state/service-calls.js';
import { createImportStore, type ImportStore } from '../../../console/src/import/state/store.js';

interface Given {
  readonly emptyCells?: 'leaves' | 'clears';
  readonly itemsPerCall?: number;
  readonly attributes?: readonly Attribute[];
  readonly store?: ImportStore;
}

export const defined = (part: Partial<Attribute>): Attribute => ({
  ...{ key: 'site', type: 'text', labels: {}, synonyms: [], maxLength: null, pattern: null },
  ...{ minimum: null, maximum: null, choices: null, isRetired: false },
  ...{
    isUnique: false,
    isSearchable: false,
    isFilterable: true,
    isSensitive: false,
    isEditableByUser: false,
  },
  ...{ createdAt: '2026-11-15T08:30:00.000Z', updatedAt: '2026-11-15T08:30:00.000Z' },
  ...part,
});

/** A store with a loaded file. */
export async function given(file: TableSource, options: Given = {}): Promise<ImportStore> {
  const { emptyCells, itemsPerCall, attributes = [], store = createImportStore() } = options;
  const table = await openTable(file);
  const [numbers, cells, notes] = [[] as number[], [] as string[][], new Map<number, readonly RowNote[]>()];
  for await (const row of table.rows) {
    if (row.notes) notes.set(cells.length, row.notes);
    numbers.push(row.number);
    cells.push([...row.cells]);
  }
  const { rows: _, close: __, ...format } = table;
  store.dispatch({
    type: 'fileLoaded',
    source: { name: 'users.csv', content: '' },
    rows: { ...noRows, numbers, cells, notes },
    format,
    mapping: guessMapping(format.headings, 'sync', attributes).mapping,
    attributes,
  });
  if (emptyCells) store.dispatch({ type: 'emptyCellsChanged', emptyCells });
  if (itemsPerCall) store.dispatch({ type: 'chunksPlanned', chunks: [], itemsPerCall });
  return store;
}

export const rowsOf = (store: ImportStore) => store.getState().rows ?? noRows;

export class Refusal extends Error {
  readonly reason: CallError;
  readonly outcomeUnknown: boolean;

  constructor(reason: CallError, outcomeUnknown = false) {
    super(reason.kind);
    this.reason = reason;
    this.outcomeUnknown = outcomeUnknown;
  }
}

export const noAnswer = () => new Refusal({ kind: 'other' }, true);
export const overLimit = () =>
  new Refusal({ kind: 'safetyLimit', confirm: 2, message: 'It would rename 2.' });
export const succeeded = (items: readonly Item[]): ItemReport[] =>
  items.map(() => ({ ok: true, effect: { kind: 'updated', fields: {} } }));

/** A name that is the serial of an entry. */
const asSerial = (name: string): ResolvedName => ({
  ...{ name, key: name.toLowerCase(), match: 'serial', candidates: [] },
  entry: { serial: name, displayName: null },
});

type Answers = Partial<ImportCalls> & { readonly judge?: (item: Item) => ItemReport };

/** A service that answers as the test says and records what it receives. */
export function dependenciesOf(answers: Answers = {}) {
  const sent: { key: string; ids: string[]; confirm: number | undefined }[] = [];
  const { judge = () => ({ ok: true, effect: { kind: 'updated', fields: {} } }), ...calls } = answers;
  const items: Item[] = [];
  const announced: string[] = [];
  let keys = 0;
  const dependencies: Dependencies = {
    calls: {
      attributes: async () => [],
      preview: async (items) => items.map(judge),
      users: async () => new Map(),
      formerHolders: async () => new Map(),
      existing: async () => [],
      someIDs: async () => [],
      emailOwner: async () => undefined,
      resolveNames: async (_kind, names) => ({ items: names.map(asSerial), mayCreate: true }),
      rememberNames: async () => {},
      activeUsers: async function* () {},
      roleHolders: async () => new Set(),
      send: async (given, { key, confirm }) => {
        items.push(...given);
        sent.push({ key, confirm, ids: given.map(({ employeeID }) => employeeID) });
        return { reports: given.map(judge), callId: `call-${key}`, isPlanned: false };
      },
      ...calls,
    },
    newKey: () => `key-${++keys}`,
    classifyError: (error) => (error instanceof Refusal ? error.reason : { kind: 'other' }),
    now: () => 0,
    announce: (text) => announced.push(text),
  };
  return { dependencies, sent, items, announced };
}

/** A store with a file that has been checked. */
export async function checked(file: TableSource, answers?: Answers): Promise<ImportStore> {
  const store = await given(file);
  await startCheck(store, dependenciesOf(answers).dependencies);
  return store;
}
