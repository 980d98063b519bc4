import type { Schemas } from '@rollcall/client';
import {
  type AttributeField,
  attributeField,
  attributeIn,
  attributeKey,
  isAttributeField,
} from '@rollcall/sheets';
import type { AttributeValue } from '../../components/attribute-value.js';
import {
  type FieldValue,
  type ListField,
  listFields,
  type ManagerField,
  managerField,
  storedValue,
  type TextField,
  textFields,
  type User,
} from '../data/user.js';

/** The values of the form, exactly as typed. */
export type Draft = { readonly [Field in TextField | ManagerField]: string } & {
  readonly [Field in ListField]: readonly string[];
} & { readonly attributes: Readonly<Record<string, AttributeValue>> };

/** What every user has. */
export type OwnField = TextField | ManagerField | ListField;
export type DraftField = OwnField | AttributeField;

/** In the order of the form, before the attributes. */
export const draftFields: readonly OwnField[] = [...textFields, managerField, ...listFields];

export const emptyDraft: Draft = draftFrom(() => null, {});

export function draftOf(user: User): Draft {
  // Attributes are whatever their definitions say.
  return draftFrom((field) => storedValue(user, field), user.attributes as Draft['attributes']);
}

function draftFrom(read: (field: OwnField) => FieldValue, attributes: Draft['attributes']): Draft {
  const texts = [...textFields, managerField].map((field) => [field, read(field as OwnField) ?? '']);
  const lists = listFields.map((field) => [field, read(field) ?? []]);
  return { ...Object.fromEntries([...texts, ...lists]), attributes } as Draft;
}

/** What is in the input of a field. */
export function typedValue(draft: Draft, field: DraftField): AttributeValue {
  return isAttributeField(field) ? (attributeIn(draft.attributes, attributeKey(field)) ?? '') : draft[field];
}

export function withValue(draft: Draft, field: DraftField, value: AttributeValue): Draft {
  if (!isAttributeField(field)) return { ...draft, [field]: value };
  return { ...draft, attributes: { ...draft.attributes, [attributeKey(field)]: value } };
}

/** Pasted text brings white space, and the service stores NFC. */
export function normalizeText(typed: string): string {
  return typed.trim().normalize('NFC');
}

/** The value to send; null if the field is empty. */
export function submittedValue<Field extends OwnField>(draft: Draft, field: Field): Draft[Field] | null;
export function submittedValue(draft: Draft, field: DraftField): FieldValue;
export function submittedValue(draft: Draft, field: DraftField): FieldValue {
  const value = typedValue(draft, field);
  if (typeof value === 'string') return normalizeText(value) || null;
  if (!Array.isArray(value)) return value;
  const distinct = [...new Set(value)];
  return isAttributeField(field) && distinct.length === 0 ? null : distinct;
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields of the form, and the attributes that one of these has. */
export function fieldsIn(...holders: readonly Pick<Draft | User, 'attributes'>[]): DraftField[] {
  const keys = new Set(holders.flatMap(({ attributes }) => Object.keys(attributes)));
  return [...draftFields, ...[...keys].map(attributeField)];
}

export function changedFields(base: User, draft: Draft): DraftField[] {
  return fieldsIn(base, draft).filter(
    (field) => !isEqual(submittedValue(draft, field), storedValue(base, field)),
  );
}

export function patchOf(base: User, draft: Draft): Schemas['PatchUser'] {
  return patchWith(changedFields(base, draft).map((field) => [field, submittedValue(draft, field)]));
}

/** Attributes are sent together. */
export function patchWith(
  values: readonly (readonly [field: DraftField | 'isActive', value: FieldValue])[],
): Schemas['PatchUser'] {
  const own = values.filter(([field]) => !isAttributeField(field));
  const attributes = values.flatMap(([field, value]) =>
    isAttributeField(field) ? [[attributeKey(field), value] as const] : [],
  );
  return {
    ...Object.fromEntries(own),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
  };
}
