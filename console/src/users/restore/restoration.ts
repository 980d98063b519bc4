import { attributeField, attributeKey, isAttributeField } from '@rollcall/sheets';
import { type Attribute, attributeOf, changedAttributes } from '../../components/attribute-value.js';
import { type FieldValue, managerField, storedValue, type User } from '../data/user.js';
import { draftFields, isEqual } from '../form/draft.js';
import type { SavedField } from '../form/save-fields.js';

interface Change {
  readonly fields: Readonly<
    Record<string, { readonly before?: unknown; readonly after?: unknown } | undefined>
  >;
}

/** A field that gets an earlier value back. Managers are known by serial, as in the change log. */
export interface RestoredField<C extends Change = Change> {
  readonly field: SavedField;
  readonly now: FieldValue;
  readonly earlier: FieldValue;
  /** The newest change of this field that is lost. */
  readonly lost: C | undefined;
  /** The attribute was retired or deleted, so that it takes no values. */
  readonly isRetired: boolean;
}

/** What can be changed back: the values before one change, or all values as they were after it. */
export type Extent = 'change' | 'version';

/** The fields that differ from then. Later changes are newest first. */
export function restoredFields<C extends Change>(
  { user, attributes }: { readonly user: User; readonly attributes: readonly Attribute[] },
  change: C,
  later: readonly C[],
  extent: Extent,
): RestoredField<C>[] {
  const undone = extent === 'change' ? [change] : later;
  const earlierValues = new Map(undone.flatMap(valuesBefore)); // the oldest change comes last, and wins
  return [...earlierValues]
    .map(([field, value]) => ({
      field,
      now: recordedValue(user, field),
      earlier: value,
      lost: later.find((each) => valuesBefore(each).some(([changed]) => changed === field)),
      isRetired: isAttributeField(field) && attributeOf(field, attributes)?.isRetired !== false,
    }))
    .filter(({ now, earlier }) => !isEqual(now, earlier));
}

const restorable: readonly string[] = [...draftFields.filter((field) => field !== managerField), 'isActive'];

function valuesBefore({ fields }: Change): [SavedField, FieldValue][] {
  return Object.entries(fields).flatMap(([field, change]): [SavedField, FieldValue][] => {
    if (field === 'attributes')
      return changedAttributes(change).map(({ key, before }) => [attributeField(key), valueIn(before)]);
    if (field === 'managerSerial') return [[managerField, valueIn(change?.before)]];
    return restorable.includes(field) ? [[field as SavedField, valueIn(change?.before)]] : [];
  });
}

/** Whether there is anything that a person can change back. Roles and sign-in names are set elsewhere. */
export function isRestorable(change: Change): boolean {
  return valuesBefore(change).length > 0;
}

// What the log has of a field was once its value.
const valueIn = (recorded: unknown) => (recorded ?? null) as FieldValue;

function recordedValue(user: User, field: SavedField): FieldValue {
  return field === managerField ? (user.manager?.serial ?? null) : storedValue(user, field);
}

/** The same as a change in the log, which is how differences are shown. */
export function changeBack({ field, now, earlier }: RestoredField) {
  if (field === managerField) return { managerSerial: { before: now, after: earlier } };
  if (!isAttributeField(field)) return { [field]: { before: now, after: earlier } };
  const key = attributeKey(field);
  return { attributes: { before: { [key]: now }, after: { [key]: earlier } } };
}
