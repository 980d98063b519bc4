import type { CallEffects } from '../../contract/calls.js';
import { type Failure, failure } from '../../contract/errors.js';
import { countCallEffects } from '../../storage/changes/activity.js';
import { type Call, getCall as readCall } from '../../storage/changes/calls.js';
import type { Database } from '../../storage/database.js';
import { isSerial } from '../serial.js';

export type FoundCall =
  | { readonly ok: true; readonly call: Call }
  | { readonly ok: false; readonly failure: Failure };

export async function getCall(database: Database, id: string): Promise<FoundCall> {
  const call = isSerial(id) ? await readCall(database.pool, id) : undefined;
  return call ? { ok: true, call } : { ok: false, failure: noSuchCall() };
}

export type FoundCallWithEffects =
  | { readonly ok: true; readonly call: Call & { readonly effects: CallEffects | null } }
  | Extract<FoundCall, { ok: false }>;

export async function getCallWithEffects(database: Database, id: string): Promise<FoundCallWithEffects> {
  const found = await getCall(database, id);
  if (!found.ok) return found;
  const effects = await countCallEffects(database.pool, id);
  return { ok: true, call: { ...found.call, effects: effects ?? null } };
}

export function noSuchCall(): Failure {
  return failure(
    'CALL_NOT_FOUND',
    'No bulk call has this ID. Use the X-Call-Id header of the reply to the call. Previews are not recorded.',
  );
}
