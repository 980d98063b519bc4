import type { Failure } from '../contract/errors.js';

export type Result<T> = ({ readonly ok: true } & T) | { readonly ok: false; readonly failure: Failure };
