import type { ErrorCodes, ErrorDataOf } from './generated/tables.js';

/** The names in `docs/errors.md`. A service newer than this client may reply with others. */
export type ErrorName = keyof ErrorCodes;

/**
 * The data an error carries, such as `field` or `confirm`. Every property is optional, because a request with
 * `details: false` leaves the data out.
 */
export type ErrorData<Name extends ErrorName> = Name extends keyof ErrorDataOf
  ? Readonly<Partial<ErrorDataOf[Name]>>
  : Readonly<Record<never, never>>;

/** A request that did not succeed. */
export abstract class RequestFailed extends Error {
  /** The service may have done it anyway: check before you resend it, or resend it with its Idempotency-Key. */
  outcomeUnknown: boolean;
  readonly requestId: string | undefined;
  /** How long the service asked to wait before the next attempt. */
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

/** A list that still misses users after all retries, because many have just changed. */
export class ListIncomplete extends Error {
  override readonly name = 'ListIncomplete';

  constructor() {
    super('Users who have changed recently may be missing from the list. Try again in a minute.');
  }
}

/** An error reply of the service. */
export class RollcallError<Name extends ErrorName = ErrorName> extends RequestFailed {
  override readonly name: Name;
  readonly status: number;
  readonly code: ErrorCodes[Name];
  /** A human-readable explanation of what happened and what to do next. Programs use `name` and `data`. */
  readonly detail: string;
  readonly data: ErrorData<Name>;

  constructor(
    status: number,
    error: {
      readonly name: Name;
      readonly code: ErrorCodes[Name];
      readonly detail: string;
      readonly data?: ErrorData<Name>;
    },
    facts: Omit<FailureFacts, 'outcomeUnknown'> = {},
  ) {
    super(error.detail, { ...facts, outcomeUnknown: leavesOpen(status, error.name) });
    this.status = status;
    this.name = error.name;
    this.code = error.code;
    this.detail = error.detail;
    this.data = error.data ?? ({} as ErrorData<Name>); // every property is optional
  }
}

/** An error of the catalogue, from a failed request or a failed item of a bulk call. Its name tells which data it has. */
export type ServiceError<Name extends ErrorName = ErrorName> = {
  [Each in Name]: {
    readonly name: Each;
    readonly code: ErrorCodes[Each];
    readonly detail: string;
    readonly data: ErrorData<Each>;
  };
}[Name];

interface WireError {
  readonly errorCode: number;
  readonly message: string;
  readonly detail: string;
  readonly data?: unknown;
}

/** The service vouches that the code and the data belong to the name. */
export function errorFrom({ errorCode, message, detail, data }: WireError): ServiceError {
  return { name: message, code: errorCode, detail: String(detail), data: Object(data) } as ServiceError;
}

function leavesOpen(status: number, name: ErrorName): boolean {
  return status === 500 || name === 'SERVICE_OUTCOME_UNKNOWN' || name === 'IDEMPOTENCY_KEY_IN_USE';
}

/** No reply arrived: the connection failed or was lost. */
export class ConnectionFailed extends RequestFailed {
  override readonly name = 'ConnectionFailed';
  /** The error code of the system, such as ECONNREFUSED, or the message of the error. */
  readonly reason: string;

  constructor(message: string, { reason, ...facts }: FailureFacts & { readonly reason: string }) {
    super(message, facts);
    this.reason = reason;
  }
}

/** A request that was not sent, because an argument cannot be used. */
export class InvalidArgument extends TypeError {
  readonly argument: 'path' | 'token';

  constructor(argument: InvalidArgument['argument'], message: string) {
    super(message);
    this.argument = argument;
  }
}

/** The reply is not from the API, but from a proxy, a sign-in page or another service. */
export class UnexpectedReply extends RequestFailed {
  override readonly name = 'UnexpectedReply';
  readonly status: number;

  constructor(message: string, status: number, facts: Omit<FailureFacts, 'outcomeUnknown'>) {
    super(message, { ...facts, outcomeUnknown: status < 300 || status >= 500 });
    this.status = status;
  }
}

/** Whether this is an error of the service and, if names are given, one of those. */
export function isRollcallError<Name extends ErrorName = ErrorName>(
  error: unknown,
  ...names: Name[]
): error is RollcallError<Name> {
  if (!(error instanceof RollcallError)) return false;
  return names.length === 0 || names.some((name) => name === error.name);
}
