import { ConnectionFailed, RequestFailed, RollcallError, UnexpectedReply } from './errors.js';

export interface RetryOptions {
  /** Maximum number of requests per call, including the first. */
  readonly attemptsMax?: number | undefined;
  /** The first pause if the service sends no Retry-After. Each pause is twice as long as the one before. */
  readonly pauseMs?: number | undefined;
  readonly pauseMaxMs?: number | undefined;
  /** Maximum total of all pauses of a call. A longer Retry-After ends the retries. */
  readonly waitMaxMs?: number | undefined;
  /** Stops retrying when aborted. Unlike the call's signal, it does not abort the request in flight. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each pause, for example to show why a call takes longer. */
  readonly onPause?: ((pause: Pause) => void) | undefined;
}

export interface Pause {
  readonly ms: number;
  /** The number of the failed attempt, starting at 1. */
  readonly attempt: number;
  /** The reason; undefined if a bulk call got a response but was interrupted. */
  readonly error: RequestFailed | undefined;
}

/** A bulk call abandoned by its node can be resumed after 15 s. With these pauses, the last attempt comes later than that. */
const defaults = { attemptsMax: 8, pauseMs: 250, pauseMaxMs: 8_000, waitMaxMs: 60_000 };

export type RetryPolicy = typeof defaults & Pick<RetryOptions, 'signal' | 'onPause'>;

export function retryPolicy(...layers: (RetryOptions | false | undefined)[]): RetryPolicy {
  const policy: RetryPolicy = { ...defaults };
  for (const layer of layers) {
    const given = Object.entries(layer === false ? { attemptsMax: 1 } : (layer ?? {}));
    Object.assign(policy, Object.fromEntries(given.filter(([, value]) => value !== undefined)));
  }
  return policy;
}

export interface Attempts<Reply> {
  attempt(): Promise<Reply>;
  /** The request changes nothing, so its outcome is never in doubt. */
  readonly isSafe: boolean;
  /** Sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean;
  /** A successful response that reports unfinished work. */
  isPartial(reply: Reply): boolean;
  readonly signal: AbortSignal | undefined;
  readonly policy: RetryPolicy;
}

/** Failures of a request within a call, which was for a token: it has been tried enough, and did nothing. */
const givenUp = new WeakSet<RequestFailed>();

/** Tries until there is a response, a permanent error, or no attempts left. */
export async function persistently<Reply>(attempts: Attempts<Reply>): Promise<Reply> {
  const { isSafe, isRepeatable, signal, policy } = attempts;
  let waitedMs = 0;
  let outcomeUnknown = false;
  /** Whether there is another attempt, told after its pause. */
  const mayGoOn = async (number: number, error?: RequestFailed): Promise<boolean> => {
    const pauseMs = pauseAfter(number, error?.retryAfterMs, policy);
    waitedMs += pauseMs;
    if (number >= policy.attemptsMax || waitedMs > policy.waitMaxMs) return false;
    policy.onPause?.({ ms: pauseMs, attempt: number, error });
    return wait(pauseMs, signal, policy.signal);
  };
  for (let number = 1; ; number++) {
    try {
      const reply = await attempts.attempt();
      if (!isRepeatable || !attempts.isPartial(reply) || !(await mayGoOn(number))) return reply;
    } catch (error) {
      if (!(error instanceof RequestFailed)) throw error;
      const isOurs = !givenUp.has(error);
      outcomeUnknown ||= isOurs && error.outcomeUnknown && !isSafe;
      error.outcomeUnknown = outcomeUnknown;
      const canGoOn = isOurs && canBeRetried(error, isRepeatable);
      if (canGoOn && (await mayGoOn(number, error))) continue;
      givenUp.add(error);
      signal?.throwIfAborted();
      throw error;
    }
  }
}

/**
 * Whether the request can be resent. If it may have been carried out, only if it is repeatable: unlike our own 503, a
 * proxy's can follow a request that went through.
 */
export function canBeRetried(error: RequestFailed, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionFailed) return isRepeatable;
  if (error instanceof UnexpectedReply) {
    return error.status === 429 || (isRepeatable && [502, 503, 504].includes(error.status));
  }
  if (!(error instanceof RollcallError)) return false;
  switch (error.name) {
    case 'ACCESS_SIGN_IN_DELAYED': // a user is waiting for an answer
      return false;
    case 'IDEMPOTENCY_KEY_IN_USE': // an earlier attempt of this call is still running
      return true;
    case 'SERVICE_OUTCOME_UNKNOWN':
      return isRepeatable;
    default:
      return error.status === 429 || error.status === 503;
  }
}

/** At least what the service asked for, with jitter, so that clients don't return all at once. */
export function pauseAfter(attempt: number, retryAfterMs: number | undefined, policy: RetryPolicy): number {
  const growing = Math.min(policy.pauseMs * 2 ** (attempt - 1), policy.pauseMaxMs);
  return Math.max(retryAfterMs ?? 0, growing * (0.5 + Math.random() / 2));
}

/** Retry-After: seconds, or a date. */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** True after the time has passed; false as soon as a signal is aborted. */
export function wait(ms: number, ...signals: (AbortSignal | undefined)[]): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isOver: boolean) => {
      clearTimeout(timer);
      for (const signal of signals) signal?.removeEventListener('abort', stop);
      resolve(isOver);
    };
    const stop = () => end(false);
    const timer = setTimeout(() => end(true), ms);
    for (const signal of signals) signal?.addEventListener('abort', stop);
    if (signals.some((signal) => signal?.aborted)) stop();
  });
}
