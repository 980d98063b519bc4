import { type ErrorName, type Failure, failure } from '../contract/errors.js';

/** Ends a request from within a hook or a parser. Handlers return failures as values instead. */
export class RequestRejected extends Error {
  override readonly name = 'RequestRejected';
  readonly failure: Failure;
  readonly headers: Readonly<Record<string, string>>;

  constructor(error: ErrorName, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.failure = failure(error, detail);
    this.headers = headers;
  }
}
