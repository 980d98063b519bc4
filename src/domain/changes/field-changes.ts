import { differingAttributes } from '../../contract/attribute-values.js';
import type { Effect, FieldChange, FieldChanges } from '../../contract/changes.js';
import type { Role } from '../../contract/scopes.js';
import { type ChangeableField, changeableFields, isSameIn } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';

/** The fields in which two states of a user differ, among those that may. Null means that the user does not exist. */
export function fieldChanges(
  before: StoredUser | null,
  after: StoredUser | null,
  lostRole?: Role,
  fields: readonly ChangeableField[] = changeableFields,
): FieldChanges {
  const changes: Partial<Record<ChangeableField | 'role', FieldChange>> = {};
  for (const field of fields) {
    const was = before?.[field] ?? null;
    const is = after?.[field] ?? null;
    if (was === is || (before && after && isSameIn(field, before, after))) continue;
    if (!(before && after) && isEmpty(was) && isEmpty(is)) continue;
    changes[field] =
      field === 'attributes'
        ? differingAttributes(before?.attributes ?? null, after?.attributes ?? null)
        : { before: was, after: is };
  }
  if (lostRole !== undefined) changes.role = { before: lostRole, after: null };
  return changes;
}

function isEmpty(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

export function effectOf(
  before: StoredUser | null,
  after: StoredUser | null,
  lostRole?: Role,
  rehired = false,
): Effect {
  const fields = fieldChanges(before, after, lostRole);
  if (rehired) return { kind: 'rehired', fields };
  if (before === null && after === null) return { kind: 'unchanged', fields };
  if (before === null) return { kind: 'created', fields };
  if (after === null) return { kind: 'deleted', fields };
  return { kind: Object.keys(fields).length > 0 ? 'updated' : 'unchanged', fields };
}
