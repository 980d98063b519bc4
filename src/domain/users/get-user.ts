import type { Failure } from '../../contract/errors.js';
import { getUser as readUser, type VersionedUser } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import { isSerial, noSuchSerial } from '../serial.js';

export type Found =
  | ({ readonly ok: true } & VersionedUser)
  | { readonly ok: false; readonly failure: Failure };

export async function getUser({ database }: Context, serial: string): Promise<Found> {
  const found = isSerial(serial) ? await readUser(database.pool, serial) : undefined;
  return found ? { ok: true, ...found } : { ok: false, failure: noSuchSerial() };
}
