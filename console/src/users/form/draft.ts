import type { Schemas } from '@rollcall/client';
import type { User } from '../data/user.js';

/** The values of the form, exactly as typed. */
export interface Draft {
  readonly employeeID: string;
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly organizationSerial: string;
  readonly tagSerials: readonly string[];
}

export type DraftField = keyof Draft;
export type TextField = Exclude<DraftField, 'tagSerials'>;

/** In the order of the form. */
export const textFields: readonly TextField[] = [
  'name',
  'employeeID',
  'username',
  'email',
  'phone',
  'organizationSerial',
];
export const draftFields: readonly DraftField[] = [...textFields, 'tagSerials'];

export const emptyDraft: Draft = {
  employeeID: '',
  name: '',
  username: '',
  email: '',
  phone: '',
  organizationSerial: '',
  tagSerials: [],
};

export function draftOf(user: User): Draft {
  return {
    employeeID: user.employeeID,
    name: user.name,
    username: user.username ?? '',
    email: user.email ?? '',
    phone: user.phone ?? '',
    organizationSerial: user.organizationSerial ?? '',
    tagSerials: user.tagSerials,
  };
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
