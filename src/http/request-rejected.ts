import type { Failure } from '../contract/errors.js';

/** Ends a request with a failure. The error handler replies with it. */
export class RequestRejected extends Error {
  override readonly name = 'RequestRejected';
  readonly failure: Failure;
  readonly headers: Readonly<Record<string, string>>;

  constructor(failure: Failure, headers: Readonly<Record<string, string>> = {}) {
    super(failure.detail);
    this.failure = failure;
    this.headers = headers;
  }
}

/** What an operation returned, unless it is a failure, which ends the request. */
export function succeeded<Result extends { readonly ok: true } | Failed>(
  result: Result,
): Extract<Result, { readonly ok: true }> {
  if (!result.ok) throw new RequestRejected(result.failure);
  return result as Extract<Result, { readonly ok: true }>;
}

interface Failed {
  readonly ok: false;
  readonly failure: Failure;
}

/** The same for operations that return either a value or a failure. */
export function accepted<Value>(value: Value | Failure): Value {
  if (isFailure(value)) throw new RequestRejected(value);
  return value;
}

function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'error' in value && 'detail' in value;
}
