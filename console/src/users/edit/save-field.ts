import { isRollcallError } from '@rollcall/client';
import { attributeKey, isAttributeField } from '@rollcall/sheets';
import { changedAttributes } from '../../components/attribute-value.js';
import { type EditableField, managerField, storedValue, type User } from '../data/user.js';
import type { VersionedUser } from '../data/user-queries.js';
import { type Draft, isEqual, patchWith, submittedValue } from '../form/draft.js';

interface FieldService {
  readonly read: () => Promise<VersionedUser>;
  /** Fails if the user has been changed since it was read. */
  readonly save: (base: VersionedUser, patch: Readonly<Record<string, unknown>>) => Promise<VersionedUser>;
}

type SavedField = { readonly saved: VersionedUser } | { readonly conflict: VersionedUser };

/** Each attempt lost against another change. */
const attemptsMax = 4;

/**
 * Saves one field, unless someone else has changed this field since it was shown. Changes of other fields are kept, and
 * don't matter.
 */
export async function saveField(
  shown: User,
  field: EditableField,
  draft: Draft,
  { read, save }: FieldService,
): Promise<SavedField> {
  const mine = submittedValue(draft, field);
  for (let attempt = 1; ; attempt++) {
    const fresh = await read();
    const now = storedValue(fresh.user, field);
    if (isEqual(now, mine)) return { saved: fresh };
    if (!isEqual(now, storedValue(shown, field))) return { conflict: fresh };
    try {
      return { saved: await save(fresh, patchWith([[field, mine]])) };
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
