import type { ErrorCodes } from './generated/tables.js';

/** The symbols of `docs/errors.md`. A service newer than this client may answer with others. */
export type ErrorName = keyof ErrorCodes;

/** A request that did not get what it asked for. */
export abstract class RequestFailed extends Error {
  /** The service may have done it all the same: look before you send it again, or send it with its Idempotency-Key. */
  outcomeUnknown: boolean;
  readonly requestId: string | undefined;
  /** How long the service asked to be left alone. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, { outcomeUnknown, requestId, retryAfterMs, cause }: FailureFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcomeUnknown = outcomeUnknown;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

interface FailureFacts {
  readonly outcomeUnknown: boolean;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

/** The service said no, and why. */
export class RollcallError<Name extends ErrorName = ErrorName> extends RequestFailed {
  override readonly name: Name;
  readonly status: number;
  readonly code: ErrorCodes[Name];
  /** What happened and how to mend it, for a person. */
  readonly detail: string;

  constructor(status: number, error: ServiceError<Name>, facts: Omit<FailureFacts, 'outcomeUnknown'> = {}) {
    super(error.detail, { ...facts, outcomeUnknown: leavesOpen(status, error.name) });
    this.status = status;
    this.name = error.name;
    this.code = error.code;
    this.detail = error.detail;
  }
}

/** An error of the catalogue, as a failed request or a failed item of a bulk call tells it. */
export interface ServiceError<Name extends ErrorName = ErrorName> {
  readonly name: Name;
  readonly code: ErrorCodes[Name];
  readonly detail: string;
}

function leavesOpen(status: number, name: ErrorName): boolean {
  return status === 500 || name === 'SERVICE_OUTCOME_UNKNOWN' || name === 'IDEMPOTENCY_KEY_IN_USE';
}

/** No answer came: no connection, or one that broke. */
export class ConnectionFailed extends RequestFailed {
  override readonly name = 'ConnectionFailed';
}

/** Something answered, but not in the words of the API: a proxy, a sign-in page, another service. */
export class UnexpectedReply extends RequestFailed {
  override readonly name = 'UnexpectedReply';
  readonly status: number;

  constructor(message: string, status: number, facts: Omit<FailureFacts, 'outcomeUnknown'>) {
    super(message, { ...facts, outcomeUnknown: status < 300 || status >= 500 });
    this.status = status;
  }
}

/** Whether this is an error of the service and, where names are given, one of those. */
export function isRollcallError<Name extends ErrorName = ErrorName>(
  error: unknown,
  ...names: Name[]
): error is RollcallError<Name> {
  if (!(error instanceof RollcallError)) return false;
  return names.length === 0 || (names as string[]).includes(error.name);
}
