import type { CountedEvents } from '../audit/counted-events.js';
import type { Caller, Sender } from '../caller.js';
import { network } from './sign-in-guard.js';

/** An operation that its caller has no scope for. */
export interface ForbiddenRequest {
  readonly method: string;
  /** The pattern of the route, never the URL: that can hold personal data. */
  readonly route: string;
  readonly scope: string;
}

/** So many networks are told apart in the delayed sign-ins of a minute, so that a flood cannot fill the table. */
const networksMax = 100;

/** One row a minute for each caller and scope; how often it was tried is counted on it. */
export async function recordForbidden(
  events: CountedEvents,
  caller: Caller,
  request: ForbiddenRequest,
): Promise<void> {
  await events.record({
    kind: 'request.forbidden',
    caller,
    facts: { detail: { ...request } },
    group: `${caller.actor.kind} ${caller.actor.id} ${request.scope}`,
    rowsMax: 1,
  });
}

/** Whose name it was is not known: the attempt is refused before anybody looks. */
export async function recordDelayed(events: CountedEvents, sender: Sender): Promise<void> {
  const apart = network(sender.address);
  const isFlood = !events.has(apart) && events.groups >= networksMax;
  await events.record({
    kind: 'sign-in.delayed',
    caller: isFlood ? {} : { requestId: sender.requestId, address: sender.address },
    facts: {},
    group: isFlood ? 'elsewhere' : apart,
    rowsMax: 1,
  });
}
