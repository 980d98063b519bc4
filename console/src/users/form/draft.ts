import type { Schemas } from '@rollcall/client';
import type { User } from '../data/user.js';

/** A person as they stand in a form: texts may be empty, and are as they were typed. */
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

/** In the order in which a form asks for them. */
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

/** White space around a text comes from pasting; one encoding of accents is what the service keeps. */
export function normalizeText(typed: string): string {
  return typed.trim().normalize('NFC');
}

/** What the service is told: null where a field is empty. */
export function submittedValue<Field extends DraftField>(draft: Draft, field: Field): Draft[Field] | null {
  const value: Draft[DraftField] = draft[field];
  const said = typeof value === 'string' ? normalizeText(value) || null : [...new Set(value)];
  return said as Draft[Field] | null;
}

export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The fields in which a draft says something else than the person it began with. */
export function changedFields(base: User, draft: Draft): DraftField[] {
  return draftFields.filter((field) => !isEqual(submittedValue(draft, field), base[field]));
}

export function patchOf(base: User, draft: Draft): Schemas['PatchUser'] {
  return Object.fromEntries(changedFields(base, draft).map((field) => [field, submittedValue(draft, field)]));
}
