import type { Failure } from '../../contract/errors.js';
import { transaction } from '../../storage/database.js';
import { type Caller, changeOrigin } from '../caller.js';
import type { Context } from '../context.js';
import { retryOnConflict } from '../retry-on-conflict.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { eraseWithin } from './erase-within.js';

export type Erased =
  | { readonly ok: true; readonly serial: string; readonly erasedAt: string }
  | { readonly ok: false; readonly failure: Failure };

/** Erasing a user again succeeds and changes nothing. */
export async function eraseUser(
  { database, limits }: Context,
  given: string,
  caller: Caller,
): Promise<Erased> {
  if (!isSerial(given)) return { ok: false, failure: noSuchSerial() };
  const serial = given.toLowerCase();
  return retryOnConflict(limits.raceAttemptsMax, () =>
    transaction(database, async (tx): Promise<Erased> => {
      const eraser = { origin: changeOrigin(caller), caller };
      const { verdicts, erasedAt } = await eraseWithin(tx, [{ serial }], eraser);
      const [verdict] = verdicts;
      if (verdict && !verdict.ok) return verdict;
      const at = erasedAt.get(serial) ?? new Date();
      return { ok: true, serial, erasedAt: at.toISOString() };
    }),
  );
}
