import type { DeliveryChannel } from '../../contract/deliveries.js';
import type { DeliveryKind, DeliveryProblem } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { textArray } from '../sql.js';

export async function anyDeliveryDue(executor: Executor, keyIds: readonly string[]): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>({
    name: 'any-delivery-due',
    text: `SELECT EXISTS (SELECT FROM deliveries WHERE ${isDue('$1')}) AS found`,
    values: [textArray(keyIds)],
  });
  return rows[0]?.found === true;
}

/** A delivery that holds a secret is claimed only by nodes that have its key. */
function isDue(keyIds: string): string {
  return `state = 'waiting' AND next_at <= now() AND (secret_key_id IS NULL OR secret_key_id = ANY (${keyIds}::text[]))`;
}

/**
 * How many messages may be sent right now, across all nodes: an allowance that grows with time, up to one second's
 * worth. The row stays locked until the transaction that spends it ends.
 */
export async function lockSendAllowance(tx: Executor, perMinuteMax: number): Promise<number> {
  const { rows } = await tx.query<{ allowance: number }>({
    name: 'lock-pace',
    text: `UPDATE delivery_pace SET refilled_at = clock_timestamp(),
             allowance = least(greatest($1::float8 / 60, 1),
               allowance + greatest(extract(epoch FROM clock_timestamp() - refilled_at), 0) * $1::float8 / 60)
           RETURNING allowance`,
    values: [perMinuteMax],
  });
  return Math.floor(rows[0]?.allowance ?? 0);
}

export async function spendSendAllowance(tx: Executor, messages: number): Promise<void> {
  await tx.query({
    name: 'spend-pace',
    text: 'UPDATE delivery_pace SET allowance = allowance - $1',
    values: [messages],
  });
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  /** The number of this claim. Later writes only apply while it is the latest. */
  readonly claim: number;
  /** The number of this sending attempt. */
  readonly attempt: number;
  readonly secret: Buffer | null;
  /** For a notice: what changed, separated by spaces, and where it is sent. */
  readonly changed: string | null;
  readonly toEmail: string | null;
  readonly toPhone: string | null;
  readonly createdAt: Date;
}

/**
 * Claims deliveries that are due. If the node dies, they are due again after the lease. The IDs are selected as an
 * array so that they are selected once: a plan may run a subquery in a join several times, and would claim more than
 * the limit.
 */
export async function claimDeliveries(
  tx: Executor,
  { keyIds, count, leaseMs }: { keyIds: readonly string[]; count: number; leaseMs: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await tx.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    text: `UPDATE deliveries SET claims = claims + 1, attempts = attempts + 1,
             next_at = now() + make_interval(secs => $3::float8 / 1000),
             claimed_until = now() + make_interval(secs => $3::float8 / 1000)
           WHERE id = ANY (ARRAY(SELECT id FROM deliveries WHERE ${isDue('$1')}
                                 ORDER BY priority, next_at LIMIT $2 FOR UPDATE SKIP LOCKED))
           RETURNING id, user_serial AS "userSerial", kind, claims AS claim, attempts AS attempt, secret,
             changed, to_email AS "toEmail", to_phone AS "toPhone", created_at AS "createdAt"`,
    values: [textArray(keyIds), count, leaseMs],
  });
  return rows;
}

export type Claim = Pick<ClaimedDelivery, 'id' | 'claim'>;

const stillClaimed = `id = $1 AND claims = $2 AND state = 'waiting'`;

/** Whether the claim still holds. If so, it cannot be lost before the transaction ends. */
export async function lockClaim(tx: Executor, { id, claim }: Claim): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock-claim',
    text: `SELECT FROM deliveries WHERE ${stillClaimed} FOR UPDATE`,
    values: [id, claim],
  });
  return rowCount === 1;
}

export async function markSent(
  executor: Executor,
  { id, claim }: Claim,
  channel: DeliveryChannel,
): Promise<void> {
  await executor.query({
    name: 'mark-delivery-sent',
    text: `UPDATE deliveries SET state = 'sent', sent_at = now(), claimed_until = NULL, channel = $3, last_error = NULL,
             secret = NULL, secret_key_id = NULL
           WHERE ${stillClaimed}`,
    values: [id, claim, channel],
  });
}

export async function markFailed(
  executor: Executor,
  { id, claim }: Claim,
  failed: {
    problem: DeliveryProblem;
    problemCode: string | null;
    reason: string;
    state: 'waiting' | 'parked' | 'cancelled';
    pauseMs: number;
  },
): Promise<void> {
  await executor.query({
    name: 'mark-delivery-failed',
    text: `UPDATE deliveries SET state = $3, last_error = $4, last_problem = $6, last_problem_code = $7,
             claimed_until = NULL, next_at = now() + make_interval(secs => $5::float8 / 1000)
           WHERE ${stillClaimed}`,
    values: [id, claim, failed.state, failed.reason, failed.pauseMs, failed.problem, failed.problemCode],
  });
}

/** Restarts the lease, because the work before sending may have taken a while, and records where the message goes. */
export async function renewClaim(
  tx: Executor,
  { id, claim }: Claim,
  leaseMs: number,
  { email, phone }: { readonly email: string | null; readonly phone: string | null },
): Promise<void> {
  await tx.query({
    name: 'renew-claim',
    text: `UPDATE deliveries SET to_email = $4, to_phone = $5, next_at = clock_timestamp() + make_interval(secs => $3::float8 / 1000),
             claimed_until = clock_timestamp() + make_interval(secs => $3::float8 / 1000)
           WHERE ${stillClaimed}`,
    values: [id, claim, leaseMs, email, email === null ? phone : null],
  });
}

/** Releases the claim without an attempt: the delivery is due again. */
export async function releaseDeliveryClaim(executor: Executor, { id, claim }: Claim): Promise<void> {
  await executor.query({
    name: 'give-delivery-back',
    text: `UPDATE deliveries SET next_at = now(), claimed_until = NULL, attempts = attempts - 1 WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}

/** Nobody waits for the message anymore. */
export async function markCancelled(executor: Executor, { id, claim }: Claim): Promise<void> {
  await executor.query({
    name: 'mark-delivery-cancelled',
    text: `UPDATE deliveries SET state = 'cancelled', claimed_until = NULL, attempts = attempts - 1 WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}

/** The user is inactive: nothing was attempted, and nothing will be until the user is activated. */
export async function markDormant(executor: Executor, { id, claim }: Claim): Promise<void> {
  await executor.query({
    name: 'mark-delivery-dormant',
    text: `UPDATE deliveries SET state = 'dormant', claimed_until = NULL, attempts = attempts - 1 WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}
