import type { Schemas } from '@rollcall/client';
import { type ListField, listFields, type TextField, textFields, type User } from '../data/user.js';

/** The values of the form, exactly as typed. */
export type Draft = { readonly [Field in TextField]: string } & {
  readonly [Field in ListField]: readonly string[];
};

export type DraftField = TextField | ListField;

/** In the order of the form. */
export const draftFields: readonly DraftField[] = [...textFields, ...listFields];

export const emptyDraft: Draft = draftFrom(() => undefined);

export function draftOf(user: User): Draft {
  return draftFrom((field) => user[field] ?? undefined);
}

function draftFrom(read: (field: DraftField) => string | readonly string[] | undefined): Draft {
  const texts = textFields.map((field) => [field, read(field) ?? '']);
  const lists = listFields.map((field) => [field, read(field) ?? []]);
  return Object.fromEntries([...texts, ...lists]) as Draft;
}

/** Pasted text brings white space, and the service stores NFC. */
export function normalizeText(typed: string): string {
  return typed.trim().normalize('NFC');
}

/** The value to send; null if the field is empty. */
export function submittedValue<Field extends DraftField>(draft: Draft, field: Field): Draft[Field] | null {
  const value: Draft[DraftField] = draft[field];
  const normalized = typeof value === 'string' ? normalizeText(value) || null : [...new Set(value)];
  return normalized as Draft[Field] | null;
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function changedFields(base: User, draft: Draft): DraftField[] {
  return draftFields.filter((field) => !isEqual(submittedValue(draft, field), base[field]));
}

export function patchOf(base: User, draft: Draft): Schemas['PatchUser'] {
  return Object.fromEntries(changedFields(base, draft).map((field) => [field, submittedValue(draft, field)]));
}
