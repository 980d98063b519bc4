import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { type Failure, failure } from '../contract/errors.js';

export interface CreatedSerial {
  readonly serial: string;
  readonly createdAt: Date;
}

/** A serial contains its creation time in milliseconds, so sorting by serial sorts by `createdAt`. */
export function newSerial(): CreatedSerial {
  return withCreatedAt(newId());
}

/** A UUIDv7. Those of one process ascend, also within a millisecond and when the clock is set back. */
export function newId(): string {
  const random = nextRandom();
  const msecs = Date.now();
  if (msecs > latest.msecs) latest = { msecs, seq: random.readUInt32BE(6) >>> 1 };
  else if (latest.seq < seqMax) latest = { msecs: latest.msecs, seq: latest.seq + 1 };
  else latest = { msecs: latest.msecs + 1, seq: 0 };
  return v7({ random, ...latest });
}

let latest = { msecs: 0, seq: 0 };
const seqMax = 0xffff_ffff;

/** Asking the system for 16 bytes takes longer than everything else about an ID, so it is asked for many at once. */
let randomBytes = Buffer.alloc(0);

function nextRandom(): Buffer {
  if (randomBytes.length === 0) randomBytes = randomFillSync(Buffer.alloc(16 * 256));
  const next = randomBytes.subarray(0, 16);
  randomBytes = randomBytes.subarray(16);
  return next;
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
