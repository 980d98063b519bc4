import { isRollcallError } from '@rollcall/client';
import { fieldRule } from '../../components/error-message.js';
import { errorsCopy, userCopy } from '../../copy/copy.js';
import { type Draft, type DraftField, draftFields, submittedValue } from './draft.js';
import { fieldRules } from './field-rules.js';

export type FormField = DraftField | 'password' | 'isActive';
export type FieldProblems = Readonly<Partial<Record<FormField, string>>>;

/** What the service would reject, as far as the form can tell. */
export function validateDraft(draft: Draft): FieldProblems {
  const found: Partial<Record<FormField, string>> = {};
  for (const field of draftFields) {
    const problem = validateField(field, submittedValue(draft, field));
    if (problem !== undefined) found[field] = problem;
  }
  if (submittedValue(draft, 'email') === null && submittedValue(draft, 'phone') === null) {
    found.email = userCopy.rules.contactRequired;
    found.phone = userCopy.rules.contactRequired;
  }
  return found;
}

export function validateField(
  field: DraftField | 'password',
  value: string | readonly string[] | null,
): string | undefined {
  const { required, accepts } = fieldRules[field];
  if (value === null) return required ? errorsCopy.required : undefined;
  return accepts(value) ? undefined : fieldRule(field);
}

/** The fields that an error is about; none if it is about something else. */
export function fieldsConcerned(error: unknown): FormField[] {
  if (isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS')) return ['employeeID'];
  if (isRollcallError(error, 'USER_USERNAME_EXISTS')) return ['username'];
  if (isRollcallError(error, 'USER_CONTACT_REQUIRED')) return ['email', 'phone'];
  if (!isRollcallError(error, 'USER_FIELD_REQUIRED', 'USER_FIELD_INVALID', 'USER_FIELD_NOT_ACCEPTED'))
    return [];
  return allFields.filter((field) => field === error.data.field);
}

const allFields: readonly FormField[] = [...draftFields, 'password', 'isActive'];

/** The serial of the user who has the name that is taken. */
export function holderOf(error: unknown): string | undefined {
  return isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS', 'USER_USERNAME_EXISTS')
    ? (error.data.takenBy?.serial ?? undefined)
    : undefined;
}
