import { eraseFields } from '../../contract/erasure.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type Executor, snapshot, transaction } from '../../storage/database.js';
import type { Preview } from '../bulk/call-errors.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import { toItemOutcomes } from '../bulk/outcomes.js';
import type { Chunk, PlannedOutcome } from '../bulk/plan.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { ChunkContext, ChunkPlan } from '../bulk/run-chunks.js';
import type { Context } from '../context.js';
import { accept, type ObjectRules, type Origin, type Parsed, readFields } from '../read-fields.js';
import { type ErasureItem, eraseWithin, previewErasure } from './erase-within.js';
import type { ErasureVerdict } from './erasure-plan.js';

/** An erasure rewrites everything that is known about a user, which takes as long as that many updates. */
const updatesPerErasure = 25;

const itemRules: ObjectRules = {
  noun: 'an item',
  nulls: 'keep',
  errors: {
    notAnObject: 'USER_NOT_AN_OBJECT',
    notAccepted: 'USER_FIELD_NOT_ACCEPTED',
    required: 'USER_FIELD_REQUIRED',
    invalid: 'USER_FIELD_INVALID',
  },
};

export function parseErasure(value: unknown, origin: Origin): Parsed<string> {
  const fields = readFields(value, eraseFields, origin, itemRules);
  return fields.ok ? accept(fields.value.serial as string) : fields;
}

/** The number of users has to be confirmed. Those who are erased already count, so that the call can be repeated. */
export async function eraseUsersBulk(
  context: Context,
  parsed: readonly Parsed<string>[],
  request: CallRequest & { readonly confirmed: number | undefined },
): Promise<CallResult> {
  const { outcomes } = await snapshot(context.database, (tx) => planFor(tx, { first: 0, items: parsed }));
  const users = new Set(outcomes.flatMap((outcome) => (outcome.ok ? outcome.serial : []))).size;
  const failed = outcomes.filter(({ ok }) => !ok).length;
  if (users !== request.confirmed) return { ok: false, failure: unconfirmed(users, failed) };
  const chunkItems = Math.ceil(context.limits.bulkChunkItems / updatesPerErasure);
  // Those who could not be erased when the number was confirmed are not part of it.
  const confirmed = parsed.map((item, position) => {
    const outcome = outcomes[position];
    return outcome?.ok === false ? outcome : item;
  });
  return runCall(context, { ...request, kind: 'erase-bulk', chunkItems }, confirmed, {
    employeeIdOf: () => null,
    sequential: (chunk, _past, chunkContext) => eraseChunk(context, chunk, chunkContext),
  });
}

/** Tells who would be erased, without writing or locking anything. */
export async function previewErasures(
  { database }: Context,
  parsed: readonly Parsed<string>[],
): Promise<Preview> {
  const { outcomes } = await snapshot(database, (tx) => planFor(tx, { first: 0, items: parsed }));
  return { ok: true, outcomes: toItemOutcomes(outcomes, true) };
}

async function planFor(tx: Executor, chunk: Chunk<string>): Promise<ChunkPlan> {
  return chunkPlan(chunk, await previewErasure(tx, itemsOf(chunk)));
}

async function eraseChunk(
  { database }: Context,
  chunk: Chunk<string>,
  { origin, caller, record }: ChunkContext,
): Promise<ChunkPlan> {
  return transaction(database, async (tx) => {
    const { verdicts } = await eraseWithin(tx, itemsOf(chunk), { origin, caller });
    const plan = chunkPlan(chunk, verdicts);
    await record(tx, plan, verdicts.filter((verdict) => verdict.ok && verdict.isNew).length);
    return plan;
  });
}

/** The valid items. */
function itemsOf({ first, items }: Chunk<string>): ErasureItem[] {
  return items.flatMap((item, index) => (item.ok ? { serial: item.value, position: first + index } : []));
}

/** Puts the verdicts, which are only about valid items, next to the failures of the others. */
function chunkPlan({ items }: Chunk<string>, verdicts: readonly ErasureVerdict[]): ChunkPlan {
  const remaining = verdicts.values();
  const outcomes = items.map((item) => (item.ok ? outcomeOf(remaining.next().value) : item));
  return { outcomes, nameHistory: emptyNameHistory() };
}

function outcomeOf(verdict: ErasureVerdict | undefined): PlannedOutcome {
  if (!verdict) throw new Error('an item has no verdict');
  if (!verdict.ok) return verdict;
  const kind = verdict.isNew ? 'erased' : 'unchanged';
  return { ok: true, serial: verdict.serial, before: null, after: null, effect: { kind, fields: {} } };
}

function unconfirmed(count: number, failed: number): Failure {
  const users = count === 1 ? '1 user' : `${count.toLocaleString('en')} users`;
  const items = failed === 1 ? '1 item fails' : `${failed.toLocaleString('en')} items fail`;
  const why = failed > 0 ? `, and ${items}: send it with ?dryRun=true to see why` : '';
  return failure(
    'CALL_CONFIRMATION_REQUIRED',
    `The call erases ${users}, which cannot be undone${why}. Nothing was changed. To proceed, resend with ?confirm=${count}.`,
    { confirm: count },
  );
}
