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

export type FailedDelivery = Pick<Schemas['Delivery'], 'lastProblem' | 'lastProblemCode' | 'lastError'>;

/** In the language of the user. Undefined for an attempt of an earlier release, which has a sentence in English. */
export function failureText({ lastProblem, lastProblemCode }: FailedDelivery): string | undefined {
  const copy = activityCopy.deliveries;
  const text = lastProblem === null ? undefined : copy.problems[lastProblem];
  return text && lastProblemCode !== null ? copy.withCode(text, lastProblemCode) : text;
}

type WaitingForSomeone = 'parked' | 'held';

/** The messages to show first: those that someone has to deal with, if any. */
export async function firstState(
  hasAny: (state: WaitingForSomeone) => Promise<boolean>,
): Promise<WaitingForSomeone | 'all'> {
  for (const state of ['parked', 'held'] as const) if (await hasAny(state)) return state;
  return 'all';
}
