import type { ErrorName } from '../contract/errors.js';
import type { SignInReply } from '../domain/access/sessions.js';
import { HashingBusy } from '../domain/passwords/password.js';
import type { Metrics, SignInOutcome } from '../telemetry/metrics.js';

const outcomes: Partial<Record<ErrorName, SignInOutcome>> = {
  ACCESS_SIGN_IN_DELAYED: 'delayed',
  ACCESS_PASSWORD_EXPIRED: 'expired',
};

/** Counts how an attempt to sign in ended. An outage is none of the attempt's outcomes. */
export async function countedSignIn(
  metrics: Metrics | undefined,
  attempt: () => Promise<SignInReply>,
): Promise<SignInReply> {
  try {
    const reply = await attempt();
    metrics?.signIn(reply.ok ? 'succeeded' : (outcomes[reply.failure.error] ?? 'failed'));
    return reply;
  } catch (error) {
    if (error instanceof HashingBusy) metrics?.signIn('busy');
    throw error;
  }
}
