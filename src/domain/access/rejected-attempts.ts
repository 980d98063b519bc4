import type { ThrottledEvents } from '../audit/throttled-events.js';
import type { Caller, Sender } from '../caller.js';
import { network } from './sign-in-guard.js';

/** An operation that the caller has no scope for. */
export interface ForbiddenRequest {
  readonly method: string;
  /** The route pattern, never the URL, which can contain personal data. */
  readonly route: string;
  readonly scope: string;
}

/** How many networks are distinguished per minute, so that a flood cannot fill the table. */
const networksMax = 100;

/** Records one row per minute, caller and scope, with the number of attempts. */
export async function recordForbidden(
  events: ThrottledEvents,
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

/** Has no user: whose name it is makes no difference to the rejection. */
export async function recordDelayed(events: ThrottledEvents, sender: Sender): Promise<void> {
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

/** One row per minute, application and network. Anyone can send a wrong secret or a token that was used. */
export async function recordRefusedApplication(
  events: ThrottledEvents,
  kind: 'token.refused' | 'application.copy-used',
  applicationId: string | undefined,
  sender: Sender,
): Promise<void> {
  const who = `${kind} ${applicationId ?? 'unknown'}`;
  const apart = `${who} ${network(sender.address)}`;
  const isFlood = !events.has(apart) && events.groups >= networksMax;
  await events.record({
    kind,
    caller: isFlood ? {} : { requestId: sender.requestId, address: sender.address },
    facts: { detail: applicationId === undefined ? { reason: 'unknown-client' } : { applicationId } },
    group: isFlood ? who : apart,
    rowsMax: 1,
  });
}
