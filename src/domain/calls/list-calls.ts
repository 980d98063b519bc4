import { type Failure, failure } from '../../contract/errors.js';
import {
  type Call,
  type CallFilters,
  getCall as readCall,
  listCalls as readCalls,
} from '../../storage/changes/calls.js';
import type { Context } from '../context.js';
import { byId, type Page, type PageRequest, pageByKey } from '../cursor.js';
import { isSerial } from '../serial.js';

export type { Call, CallFilters };

/** Newest first. */
export function listCalls(
  { database }: Context,
  filters: CallFilters,
  page: PageRequest,
): Promise<Page<Call>> {
  const list = { name: 'calls', filters, isKey: isSerial, keyOf: byId };
  return pageByKey(page, list, (before, limit) => readCalls(database.pool, { filters, before, limit }));
}

export type FoundCall =
  | { readonly ok: true; readonly call: Call }
  | { readonly ok: false; readonly failure: Failure };

export async function getCall({ database }: Context, id: string): Promise<FoundCall> {
  const call = isSerial(id) ? await readCall(database.pool, id) : undefined;
  return call ? { ok: true, call } : { ok: false, failure: noSuchCall() };
}

export function noSuchCall(): Failure {
  return failure(
    'CALL_NOT_FOUND',
    'No bulk call has this ID; it is in the X-Call-Id header of the reply. A preview is not kept: it changed nothing.',
  );
}
