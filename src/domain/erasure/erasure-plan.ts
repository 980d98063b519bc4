import type { Failure } from '../../contract/errors.js';
import type { Administrator } from '../../contract/scopes.js';
import { itemFailure } from '../read-fields.js';
import { lastAdministrator } from '../users/plans/user-change.js';

export interface ErasureFacts {
  /** The serials of users who exist or did: they have a row, or are in the change log. */
  readonly known: ReadonlySet<string>;
  /** Those who are erased already. */
  readonly erased: { keys(): Iterable<string> };
  readonly administrators: readonly Administrator[];
}

export type ErasureVerdict =
  | {
      readonly ok: true;
      readonly serial: string;
      /** False if the user is erased already. */
      readonly isNew: boolean;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Decides for each user in turn, so that of all administrators the last one remains. */
export function planErasure(
  items: readonly { readonly serial: string; readonly position?: number }[],
  { known, erased, administrators }: ErasureFacts,
): ErasureVerdict[] {
  const able = new Set(administrators.filter(({ canSignIn }) => canSignIn).map(({ serial }) => serial));
  const done = new Set(erased.keys());
  return items.map(({ serial, position }) => {
    if (done.has(serial)) return { ok: true, serial, isNew: false };
    if (!known.has(serial)) {
      return { ok: false, failure: itemFailure('USER_NOT_FOUND', position, 'no user has this serial.', {}) };
    }
    if (able.has(serial) && able.size === 1) return { ok: false, failure: lastAdministrator(position) };
    able.delete(serial);
    done.add(serial);
    return { ok: true, serial, isNew: true };
  });
}
