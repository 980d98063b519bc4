import { type Failure, failure, retry } from '../../contract/errors.js';
import {
  getCall,
  insertCall,
  interruptCall,
  type RunningCall,
  takeOverCall,
} from '../../storage/changes/calls.js';
import { getKey, insertKey, listCallChunks } from '../../storage/changes/idempotency-keys.js';
import { type Executor, transaction } from '../../storage/database.js';
import type { Caller } from '../caller.js';
import type { LimitedDatabase } from '../database.js';
import { mentionsOf } from './mentions.js';
import { emptyNameHistory, extendNameHistory, type NameHistory, parseNameHistory } from './name-history.js';
import type { FinishedChunk, ItemOutcome } from './outcomes.js';

/** Allows a caller to send a request again safely. */
export interface IdempotencyKey {
  readonly key: string;
  /** Identifies the request. */
  readonly fingerprint: string;
  /** The fingerprints of the same request under previous secret keys. */
  readonly previousFingerprints?: readonly string[];
}

/** The state of a bulk call when it starts or resumes. */
export interface StartedCall {
  readonly ok: true;
  readonly call: RunningCall;
  /** Committed chunks, in item order. */
  readonly done: readonly FinishedChunk[];
  readonly nameHistory: NameHistory;
  readonly isDone: boolean;
}

type Rejected = { readonly ok: false; readonly failure: Failure };

/** Takes the key for the call. If the same request took it before, returns that call to be resumed. */
export async function startWithKey(
  { database, limits }: LimitedDatabase,
  key: IdempotencyKey,
  caller: Caller,
  call: RunningCall,
): Promise<StartedCall | Rejected> {
  const { callLeaseMs, idempotencyKeyHours } = limits;
  return transaction(database, async (tx): Promise<StartedCall | Rejected> => {
    const earlier = await takeKey(tx, key, caller, call.id, idempotencyKeyHours);
    if (earlier === undefined) {
      // Recorded before anything is done, so that a request with the same key finds the call.
      await insertCall(tx, call, callLeaseMs);
      return { ok: true, call, done: [], nameHistory: emptyNameHistory(), isDone: false };
    }
    if ('error' in earlier) return { ok: false, failure: earlier };
    return resumeCall(tx, call, earlier.callId, callLeaseMs);
  });
}

/** Takes the key for a call. If the same request took it before, returns that call. */
export async function takeKey(
  tx: Executor,
  key: IdempotencyKey,
  caller: Caller,
  callId: string,
  keptHours: number,
): Promise<{ readonly callId: string } | Failure | undefined> {
  const row = { ...ownedKey(key, caller), callId, answer: null, mentions: null };
  if (await insertKey(tx, row, keptHours)) return undefined;
  return (await findKey(tx, key, caller, keptHours)) ?? keyInUse(); // it has expired in between
}

/** The call for which the same request took the key. */
export async function findKey(
  executor: Executor,
  key: IdempotencyKey,
  caller: Caller,
  keptHours: number,
): Promise<{ readonly callId: string } | Failure | undefined> {
  const earlier = await getKey(executor, ownerOf(caller), key.key, keptHours);
  if (!earlier) return undefined;
  return isSameRequest(earlier.fingerprint, key) ? { callId: earlier.callId as string } : keyReused();
}

async function resumeCall(
  tx: Executor,
  call: RunningCall,
  id: string,
  leaseMs: number,
): Promise<StartedCall | Rejected> {
  // Claim first: this waits for an undo in progress, and only then is it known whether there was one.
  const taken = await takeOverCall(tx, id, leaseMs);
  const earlier = await getCall(tx, id);
  if (taken && earlier?.undoneBy) {
    await interruptCall(tx, { id, claim: taken.claim });
    return { ok: false, failure: callUndone() };
  }
  if (!taken && earlier?.state !== 'done') return { ok: false, failure: keyInUse() };
  const finished = await finishedChunks(tx, id);
  return { ok: true, call: { ...call, id, ...taken }, ...finished, isDone: taken === undefined };
}

/** What was committed of a call before it was interrupted. */
export async function finishedChunks(
  executor: Executor,
  id: string,
): Promise<Pick<StartedCall, 'done' | 'nameHistory'>> {
  const nameHistory = emptyNameHistory();
  const done: FinishedChunk[] = [];
  for (const { first, outcomes, memory } of await listCallChunks(executor, id)) {
    done.push({ first, outcomes: outcomes as ItemOutcome[] }); // as written by the chunk
    extendNameHistory(nameHistory, parseNameHistory(memory));
  }
  return { done, nameHistory };
}

/** The answer that the same create got before; undefined if the key is unused or has expired. */
export async function findAnswer<T extends { readonly ok: boolean }>(
  { database, limits }: LimitedDatabase,
  key: IdempotencyKey,
  caller: Caller,
): Promise<{ readonly answer: T } | Failure | undefined> {
  const row = await getKey(database.pool, ownerOf(caller), key.key, limits.idempotencyKeyHours);
  if (!row) return undefined;
  return isSameRequest(row.fingerprint, key) ? { answer: row.answer as T } : keyReused();
}

/** Takes the key and stores the answer. Returns false if the key is already taken. */
export function storeAnswer(
  tx: Executor,
  key: IdempotencyKey,
  caller: Caller,
  answer: { readonly ok: boolean },
  keptHours: number,
): Promise<boolean> {
  const mentions = answer.ok ? null : mentionsOf(answer);
  return insertKey(tx, { ...ownedKey(key, caller), callId: null, answer, mentions }, keptHours);
}

function isSameRequest(known: string, { fingerprint, previousFingerprints = [] }: IdempotencyKey): boolean {
  return known === fingerprint || previousFingerprints.includes(known);
}

/** Two callers may choose the same key. */
function ownedKey({ key, fingerprint }: IdempotencyKey, caller: Caller) {
  return { actor: ownerOf(caller), key, fingerprint };
}

function ownerOf({ actor }: Caller): string {
  return `${actor.kind} ${actor.id}`;
}

function keyReused(): Failure {
  return failure(
    'IDEMPOTENCY_KEY_REUSED',
    'This Idempotency-Key has already been used with a different request. Use a new key for each request, and resend a request only with the same path, query and body.',
  );
}

export function keyInUse(): Failure {
  return failure(
    'IDEMPOTENCY_KEY_IN_USE',
    'The first request with this Idempotency-Key is still running. Retry in a moment.',
    retry,
  );
}

export function callUndone(): Failure {
  return failure(
    'CALL_UNDONE',
    'The call was undone before it had finished. To run it again, send it with a new Idempotency-Key.',
  );
}
