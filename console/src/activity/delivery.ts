import type { Schemas } from '@rollcall/client';
import type { StateColor } from '../components/state-badge.js';
import { activityCopy } from '../copy/copy.js';

type State = Schemas['Delivery']['state'];

export const deliveryColors: Readonly<Record<State, StateColor>> = {
  parked: 'red',
  waiting: 'blue',
  held: 'yellow',
  dormant: 'yellow',
  sent: 'green',
  cancelled: 'gray',
};

/** The next attempt of a waiting message may be hours away; sending it again skips the wait. */
export const resendable: readonly State[] = ['parked', 'sent', 'waiting'];

type Delivery = Pick<Schemas['Delivery'], 'heldReason'>;

/** Messages held because of a new address are released one by one. */
export async function countReleasable(
  pages: AsyncIterable<{ readonly items: readonly Delivery[] }>,
  max: number,
): Promise<number | undefined> {
  let [count, read] = [0, 0];
  for await (const { items } of pages) {
    if (read++ === max) return undefined;
    count += items.filter(({ heldReason }) => heldReason === 'requested').length;
  }
  return count;
}

export type FailedDelivery = Pick<
  Schemas['Delivery'],
  'kind' | 'address' | 'lastProblem' | 'lastProblemCode' | 'lastError'
>;

const addressProblems: readonly FailedDelivery['lastProblem'][] = [
  ...(['mailRecipientRefused', 'emailInvalid', 'phoneInvalid', 'smsRefused', 'noAddress'] as const),
];
/** They go to the address that the user has when they are sent. */
const passwordKinds: readonly FailedDelivery['kind'][] = ['initial-password', 'reset-password'];

/** Where a message that failed would go now, if that is another address. */
export function newAddress(
  { kind, address, lastError }: FailedDelivery,
  current: string | null | undefined,
): string | undefined {
  const isNew = passwordKinds.includes(kind) && lastError !== null && current != null && current !== address;
  return isNew ? current : undefined;
}

/** Whether the message can't be sent again before someone has corrected the address. */
export function needsAddress(delivery: FailedDelivery, current: string | null | undefined): boolean {
  return addressProblems.includes(delivery.lastProblem) && newAddress(delivery, current) === undefined;
}

/**
 * In the language of the user, with the address that the message has not reached. Undefined for an attempt of an earlier
 * release, which has a sentence in English.
 */
export function failureText(delivery: FailedDelivery, current?: string | null): string | undefined {
  const { address, lastProblem, lastProblemCode } = delivery;
  const copy = activityCopy.deliveries;
  if (lastProblem === null) return undefined;
  if (addressProblems.includes(lastProblem)) {
    const corrected = newAddress(delivery, current);
    if (address !== null) return corrected ? copy.corrected(address, corrected) : copy.refused(address);
    if (corrected && lastProblem === 'noAddress') return copy.addressAdded(corrected);
  }
  const text = copy.problems[lastProblem];
  return lastProblemCode === null ? text : copy.withCode(text, lastProblemCode);
}
