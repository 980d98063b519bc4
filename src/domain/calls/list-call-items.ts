import type { Effect } from '../../contract/changes.js';
import { hasRun } from '../../contract/enums.js';
import { errorBody, type Failure } from '../../contract/errors.js';
import {
  type CallEffect,
  type CallItem,
  readCallEffects,
  listCallItems as readItems,
} from '../../storage/changes/call-items.js';
import { getCall } from '../../storage/changes/calls.js';
import { listPreviewedItems, type PreviewedItem } from '../../storage/changes/planned-items.js';
import type { Database } from '../../storage/database.js';
import type { ItemOutcome } from '../bulk/outcomes.js';
import { type Actor, scopeProblem } from '../caller.js';
import { type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial } from '../serial.js';
import { noSuchCall } from './get-call.js';

export interface ReportedItem {
  readonly position: number;
  readonly employeeID: string | null;
  readonly outcome: 'succeeded' | 'failed';
  readonly serial?: string | null;
  /** Of a call that has run, only for those who may see changes. */
  readonly effect?: Effect;
  readonly error?: object;
}

/** What became of the items of a call, or what its preview showed if it has not run. */
export async function listCallItems(
  database: Database,
  id: string,
  {
    actor,
    ...filters
  }: {
    readonly outcome?: 'succeeded' | 'failed';
    readonly actor: Pick<Actor, 'kind' | 'scopes'> | undefined;
  },
  page: PageRequest,
): Promise<Page<ReportedItem>> {
  const call = isSerial(id) ? await getCall(database.pool, id) : undefined;
  if (!call) return { ok: false, failure: noSuchCall() };
  // Who had a value of the attribute, which may have been sensitive.
  const problem = call.kind === 'delete-attribute' && actor ? scopeProblem(actor, 'access:admin') : undefined;
  if (problem) return { ok: false, failure: problem };
  const isRun = hasRun(call.state);
  const failed = filters.outcome === undefined ? undefined : filters.outcome === 'failed';
  const list = {
    ...{ name: 'call-items', filters: { ...filters, id, hasRun: isRun } },
    isKey: (text: string) => /^\d{1,9}$/.test(text),
    keyOf: ({ position }: ReportedItem) => String(position),
  };
  return pageByKey(page, list, async (after, limit) => {
    const range = { after: after === undefined ? -1 : Number(after), limit };
    return isRun
      ? withEffects(await readItems(database.pool, id, { failed }, range))
      : (await listPreviewedItems(database.pool, id, { failed }, range)).map(previewedItem);
  });

  async function withEffects(items: readonly CallItem[]): Promise<ReportedItem[]> {
    if (!maySeeEffects(actor)) return items.map((item) => ranItem(item));
    const serials = items.flatMap(({ serial, failure }) =>
      serial === null || failure !== null ? [] : [serial],
    );
    const effects = await readCallEffects(database.pool, id, serials);
    return items.map((item) => ranItem(item, effects.get(item.serial ?? '') ?? unchanged));
  }
}

/** Whoever may undo the call sees in the preview of the undo what it did. */
function maySeeEffects(actor: Pick<Actor, 'scopes'> | undefined): boolean {
  return actor === undefined || actor.scopes.has('users:write') || actor.scopes.has('audit:read');
}

const unchanged: Effect = { kind: 'unchanged', fields: {} };

function ranItem(
  { position, employeeID, serial, failure }: CallItem,
  effect?: CallEffect | Effect,
): ReportedItem {
  if (failure !== null) return reported(position, employeeID, failedWith(failure));
  return reported(position, employeeID, {
    ok: true,
    serial,
    ...(serial === null || !effect ? {} : { effect }),
  });
}

function previewedItem({ position, employeeID, preview }: PreviewedItem): ReportedItem {
  return reported(position, employeeID, preview as ItemOutcome);
}

function failedWith(failure: unknown): ItemOutcome {
  return { ok: false, failure: failure as Failure }; // as it was stored
}

function reported(position: number, employeeID: string | null, outcome: ItemOutcome): ReportedItem {
  if (!outcome.ok) {
    const { failure } = outcome;
    const error = { ...errorBody(failure, true), reason: failure.reason ?? failure.detail };
    return { position, employeeID, outcome: 'failed', error };
  }
  const { serial, effect } = outcome;
  return { position, employeeID, outcome: 'succeeded', serial, ...(effect ? { effect } : {}) };
}
