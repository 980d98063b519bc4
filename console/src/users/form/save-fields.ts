import { isRollcallError } from '@rollcall/client';
import { attributeKey, isAttributeField } from '@rollcall/sheets';
import { changedAttributes } from '../../components/attribute-value.js';
import { type FieldValue, managerField, storedValue } from '../data/user.js';
import type { VersionedUser } from '../data/user-queries.js';
import { type DraftField, isEqual, patchWith } from './draft.js';

export type SavedField = DraftField | 'isActive';

/** A new value of a field, which replaces the one that was shown. */
export interface FieldUpdate {
  readonly field: SavedField;
  readonly shown: FieldValue;
  readonly value: FieldValue;
}

interface FieldService {
  readonly read: () => Promise<VersionedUser>;
  /** Fails if the user has been changed since it was read. */
  readonly save: (base: VersionedUser, patch: Readonly<Record<string, unknown>>) => Promise<VersionedUser>;
}

type SavedFields =
  | { readonly saved: VersionedUser }
  /** The fields that someone else has changed. Nothing was saved. */
  | { readonly conflict: VersionedUser; readonly fields: readonly SavedField[] };

/** Each attempt lost against another change. */
const attemptsMax = 4;

/**
 * Saves these fields, unless someone else has changed one of them since it was shown. Changes of other fields are kept,
 * and don't matter.
 */
export async function saveFields(
  updates: readonly FieldUpdate[],
  { read, save }: FieldService,
): Promise<SavedFields> {
  for (let attempt = 1; ; attempt++) {
    const fresh = await read();
    const due = updates.filter(({ field, value }) => !isEqual(storedValue(fresh.user, field), value));
    if (due.length === 0) return { saved: fresh };
    const changed = due.filter(({ field, shown }) => !isEqual(storedValue(fresh.user, field), shown));
    if (changed.length > 0) return { conflict: fresh, fields: changed.map(({ field }) => field) };
    try {
      return { saved: await save(fresh, patchWith(due.map(({ field, value }) => [field, value]))) };
    } catch (error) {
      if (!isRollcallError(error, 'REQUEST_PRECONDITION_FAILED') || attempt === attemptsMax) throw error;
    }
  }
}

interface Change {
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The newest change of a field. Changes are newest first. */
export function latestChangeOf<C extends Change>(changes: readonly C[], field: string): C | undefined {
  const recorded = field === managerField ? 'managerSerial' : field;
  if (!isAttributeField(field)) return changes.find(({ fields }) => Object.hasOwn(fields, recorded));
  const key = attributeKey(field);
  return changes.find(({ fields }) => changedAttributes(fields.attributes).some((each) => each.key === key));
}
