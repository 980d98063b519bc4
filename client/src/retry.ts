import { ConnectionFailed, RequestFailed, RollcallError, UnexpectedReply } from './errors.js';

export interface RetryOptions {
  /** Requests for one call at the most, the first included. */
  readonly attemptsMax?: number | undefined;
  /** The first pause where the service names none; it doubles from one to the next. */
  readonly pauseMs?: number | undefined;
  readonly pauseMaxMs?: number | undefined;
  /** All pauses of one call together. A longer Retry-After is not waited for. */
  readonly waitMaxMs?: number | undefined;
  /** Once aborted nothing is tried again. Unlike the signal of the call it leaves the request under way alone. */
  readonly signal?: AbortSignal | undefined;
  /** Told before each pause: somebody may want to know why it takes longer. */
  readonly onPause?: ((pause: Pause) => void) | undefined;
}

export interface Pause {
  readonly ms: number;
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  /** Why; undefined where a bulk call was answered but left in the middle. */
  readonly error: RequestFailed | undefined;
}

/** A bulk call that was left by its node is free after 15 s. With these pauses the last attempt comes after that. */
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
  /** The request changes nothing, so it never leaves anything open. */
  readonly isSafe: boolean;
  /** Sent twice, it is done once. */
  readonly isRepeatable: boolean;
  /** A success that says itself that it is not all that was asked for. */
  isPartial(reply: Reply): boolean;
  readonly signal: AbortSignal | undefined;
  readonly policy: RetryPolicy;
}

/** Failures of a request within a call, which was for a token: it has been tried enough, and did nothing. */
const givenUp = new WeakSet<RequestFailed>();

/** Tries until there is a reply, an error that will not go away, or no more patience. */
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
 * Whether the same request may be sent again. Where it may have been done already, only if doing it again does nothing:
 * a proxy's 503, unlike the service's own, can come after the request went through.
 */
export function canBeRetried(error: RequestFailed, isRepeatable: boolean): boolean {
  if (error instanceof ConnectionFailed) return isRepeatable;
  if (error instanceof UnexpectedReply) {
    return error.status === 429 || (isRepeatable && [502, 503, 504].includes(error.status));
  }
  if (!(error instanceof RollcallError)) return false;
  switch (error.name) {
    case 'ACCESS_SIGN_IN_DELAYED': // a person is waiting, and has to be told
      return false;
    case 'IDEMPOTENCY_KEY_IN_USE': // an earlier attempt of this very call, whose connection broke
      return true;
    case 'SERVICE_OUTCOME_UNKNOWN':
      return isRepeatable;
    default:
      return error.status === 429 || error.status === 503;
  }
}

/** At least what the service asked for; apart from each other, so that many clients do not come back as one. */
export function pauseAfter(attempt: number, retryAfterMs: number | undefined, policy: RetryPolicy): number {
  const growing = Math.min(policy.pauseMs * 2 ** (attempt - 1), policy.pauseMaxMs);
  return Math.max(retryAfterMs ?? 0, growing * (0.5 + Math.random() / 2));
}

/** Retry-After: seconds, or the time to come back at. */
export function readRetryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const ms = /^\s*\d+\s*$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** True after the time; false as soon as one of the signals is aborted. */
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
