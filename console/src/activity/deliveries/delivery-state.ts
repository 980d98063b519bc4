import type { Schemas } from '@rollcall/client';
import type { StateColor } from '../../components/state-badge.js';

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
