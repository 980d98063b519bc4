import type { ScimErrorType } from '../../contract/enums.js';

export interface ScimFailure {
  readonly ok: false;
  readonly scimType: ScimErrorType;
  readonly detail: string;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | ScimFailure;

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function failed(scimType: ScimErrorType, detail: string): ScimFailure {
  return { ok: false, scimType, detail };
}

/** What a client has sent, as a detail shows it. */
export function quoted(sent: unknown): string {
  return JSON.stringify(typeof sent === 'string' ? sent.slice(0, quotedMaxLength) : sent);
}

const quotedMaxLength = 200;
