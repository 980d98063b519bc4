import { v7 } from 'uuid';
import { type Failure, failure } from '../contract/errors.js';

export interface CreatedSerial {
  readonly serial: string;
  readonly createdAt: Date;
}

/** A serial contains its creation time in milliseconds, so sorting by serial sorts by `createdAt`. */
export function newSerial(): CreatedSerial {
  return withCreatedAt(v7());
}

export function withCreatedAt(serial: string): CreatedSerial {
  return { serial, createdAt: new Date(Number.parseInt(serial.slice(0, 8) + serial.slice(9, 13), 16)) };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Serials are opaque to callers: text in another format simply matches no user. */
export function isSerial(text: string): boolean {
  return uuid.test(text);
}

export function noSuchSerial(): Failure {
  return failure('USER_NOT_FOUND', 'No user has this serial.');
}
