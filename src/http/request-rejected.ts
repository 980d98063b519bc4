import type { Failure } from '../contract/errors.js';

/** Ends a request from within a hook or a parser. Handlers return failures as values instead. */
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
