import type { Failure } from '../contract/errors.js';
import type { Executor } from '../storage/database.js';
import { erasedAmong } from '../storage/erasure/erased-users.js';
import { isSerial, noSuchSerial } from './serial.js';
import { userErased } from './user-erased.js';

/** Why no user has this serial: there never was one, or the user was erased. */
export async function missingUser(executor: Executor, serial: string): Promise<Failure> {
  const erasedAt = isSerial(serial)
    ? (await erasedAmong(executor, [serial])).get(serial.toLowerCase())
    : undefined;
  return erasedAt ? userErased(erasedAt, 'The user') : noSuchSerial();
}
