import { eraseFields } from '../../contract/erasure.js';
import { type Failure, failure } from '../../contract/errors.js';
import type { Database } from '../../storage/database.js';
import type { Preview } from '../bulk/call-errors.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import { allItems, type Chunk, type ItemBlocks, type PlannedOutcome } from '../bulk/plan.js';
import { type BulkContext, type CallRequest, type CallRun, runCall } from '../bulk/run-call.js';
import { removalProblem, type SafetyLimitContext } from '../bulk/safety-limit.js';
import { type ChunkPlan, previewStages, type Stages } from '../bulk/stages.js';
import type { Caller } from '../caller.js';
import { accept, type ObjectRules, type Origin, type Parsed, readFields } from '../read-fields.js';
import { chosenBy, type ErasureItem, erase, type KnownUsers, readErasure } from './erase-user.js';
import { type ErasureVerdict, planErasure } from './erasure-plan.js';

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

export interface EraseContext extends BulkContext, SafetyLimitContext {
  /** Whether a call beyond the safety limit needs the approval of someone else. */
  readonly safetyApproval: boolean;
}

/**
 * The number of users has to be confirmed. Those who are erased already count, so that the call can be repeated. Beyond
 * the safety limit, a confirmation is not enough where calls need approval, which an erasure cannot wait for.
 */
export async function* eraseUsersBulk(
  context: EraseContext,
  items: ItemBlocks<string>,
  request: CallRequest & { readonly confirmed: number | undefined },
): CallRun {
  const parsed = await allItems(items);
  const preview = await previewErasures(context.database, parsed, request);
  if (!preview.ok) return preview;
  const { outcomes } = preview;
  const users = new Set(outcomes.flatMap((outcome) => (outcome.ok ? outcome.serial : []))).size;
  const failed = outcomes.filter(({ ok }) => !ok).length;
  const isConfirmed = users === request.confirmed;
  if (!isConfirmed || context.safetyApproval) {
    const erased = outcomes.filter((outcome) => outcome.ok && outcome.effect?.kind === 'erased').length;
    const hint = context.safetyApproval ? approvalHint : undefined;
    const problem = await removalProblem(context, erased, users, hint);
    if (problem) return { ok: false, failure: problem };
  }
  if (!isConfirmed) return { ok: false, failure: unconfirmed(users, failed) };
  const chunkItems = Math.ceil(context.limits.bulkChunkItems / updatesPerErasure);
  // Those who could not be erased when the number was confirmed are not part of it.
  const confirmed = parsed.map((item, position) => {
    const outcome = outcomes[position];
    return outcome?.ok === false ? outcome : item;
  });
  return yield* runCall(context, { ...request, kind: 'erase-bulk', chunkItems }, confirmed, erasureStages);
}

/** Tells who would be erased, without writing or locking anything. */
export function previewErasures(
  database: Database,
  parsed: readonly Parsed<string>[],
  { caller }: { readonly caller: Caller },
): Promise<Preview> {
  return previewStages(database, erasureStages, parsed, caller);
}

type ErasurePlan = ChunkPlan & { readonly verdicts: readonly ErasureVerdict[] };

const erasureStages: Stages<string, KnownUsers, ErasurePlan> = {
  employeeIdOf: () => null,
  read: (tx, chunk, { locks }) => readErasure(tx, itemsOf(chunk), locks),
  plan: (chunk, facts) => {
    const verdicts = planErasure(itemsOf(chunk), facts);
    return { verdicts, outcomes: outcomesOf(chunk, verdicts), nameHistory: emptyNameHistory() };
  },
  write: async (tx, { verdicts }, { facts, origin, caller }) => {
    await erase(tx, chosenBy(verdicts, facts), { origin, caller });
  },
  changes: ({ verdicts }) => verdicts.filter((verdict) => verdict.ok && verdict.isNew).length,
};

/** The valid items. */
function itemsOf({ first, items }: Chunk<string>): ErasureItem[] {
  return items.flatMap((item, index) => (item.ok ? { serial: item.value, position: first + index } : []));
}

/** Puts the verdicts, which are only about valid items, next to the failures of the others. */
function outcomesOf({ items }: Chunk<string>, verdicts: readonly ErasureVerdict[]): PlannedOutcome[] {
  const remaining = verdicts.values();
  return items.map((item) => (item.ok ? outcomeOf(remaining.next().value) : item));
}

function outcomeOf(verdict: ErasureVerdict | undefined): PlannedOutcome {
  if (!verdict) throw new Error('an item has no verdict');
  if (!verdict.ok) return verdict;
  const kind = verdict.isNew ? 'erased' : 'unchanged';
  return { ok: true, serial: verdict.serial, before: null, after: null, effect: { kind, fields: {} } };
}

const approvalHint = 'An erasure cannot wait for approval: erase fewer users per call.';

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
