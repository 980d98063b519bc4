type WaitingForSomeone = 'parked' | 'held';

/** The messages to show first: those that someone has to deal with, if any. */
export async function firstState(
  hasAny: (state: WaitingForSomeone) => Promise<boolean>,
): Promise<WaitingForSomeone | 'all'> {
  for (const state of ['parked', 'held'] as const) if (await hasAny(state)) return state;
  return 'all';
}
