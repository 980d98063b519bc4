import { isRollcallError, type Schemas } from '@rollcall/client';
import {
  attributeField,
  isAttributeField,
  operationFields,
  fieldRules as rules,
  type TextForm,
  textForms,
} from '@rollcall/sheets';
import { type Attribute, attributeProblem } from '../../components/attribute-value.js';
import { fieldRule } from '../../components/error-message.js';
import { errorsCopy, userCopy } from '../../copy/copy.js';
import { managerField, storedValue, type User } from '../data/user.js';
import { type Draft, type DraftField, draftFields, isEqual, type OwnField, submittedValue } from './draft.js';

export type FormField = DraftField | 'password' | 'isActive';
export type FieldProblems = Readonly<Partial<Record<FormField, string>>>;

/**
 * What the service would reject, as far as the form can tell. Users keep values of attributes that a new limit excludes,
 * and managers who are gone, so what is unchanged is not checked.
 */
export function validateDraft(
  draft: Draft,
  attributes: readonly Attribute[] = [],
  base?: User,
): FieldProblems {
  const found: Partial<Record<FormField, string>> = {};
  const isUnchanged = (field: DraftField) =>
    base !== undefined && isEqual(submittedValue(draft, field), storedValue(base, field));
  for (const field of draftFields) {
    const problem = isUnchanged(field) ? undefined : validateField(field, submittedValue(draft, field));
    if (problem !== undefined) found[field] = problem;
  }
  if (submittedValue(draft, 'email') === null && submittedValue(draft, 'phone') === null) {
    found.email = userCopy.rules.contactRequired;
    found.phone = userCopy.rules.contactRequired;
  }
  for (const attribute of attributes) {
    const field = attributeField(attribute.key);
    const value = submittedValue(draft, field);
    if (value === null || isUnchanged(field)) continue;
    const problem = attributeProblem(attribute, value);
    if (problem !== undefined) found[field] = problem;
  }
  return found;
}

export function validateField(
  field: OwnField | 'password',
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
  if (isRollcallError(error, 'USER_ATTRIBUTE_EXISTS'))
    return error.data.attribute === undefined ? [] : [attributeField(error.data.attribute)];
  if (isRollcallError(error, 'USER_MANAGER_NOT_FOUND', 'USER_MANAGER_CYCLE')) return [managerField];
  if (isRollcallError(error, 'USER_CONTACT_REQUIRED')) return ['email', 'phone'];
  if (!isRollcallError(error, 'USER_FIELD_REQUIRED', 'USER_FIELD_INVALID', 'USER_FIELD_NOT_ACCEPTED'))
    return [];
  const { field = '' } = error.data;
  // What is retired or deleted has no input.
  if (isAttributeField(field)) return isRollcallError(error, 'USER_FIELD_INVALID') ? [field] : [];
  return allFields.filter((each) => each === field);
}

const allFields: readonly FormField[] = [...draftFields, 'password', 'isActive'];

/** The serial of the user who has the name that is taken. */
export function holderOf(error: unknown): string | undefined {
  if (isRollcallError(error, 'USER_ATTRIBUTE_EXISTS')) return error.data.serial ?? undefined;
  return isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS', 'USER_USERNAME_EXISTS')
    ? (error.data.takenBy?.serial ?? undefined)
    : undefined;
}

/** A validation rule of the service, generated from its API. */
interface FieldRule {
  readonly required: boolean;
  readonly accepts: (value: string | readonly string[]) => boolean;
}

interface TextRule {
  readonly form?: TextForm;
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
}

const required: readonly string[] = operationFields.create.required;

export const fieldRules = Object.fromEntries(
  Object.entries(rules).map(([field, rule]) => [
    field,
    { required: required.includes(field), accepts: accepting(rule) },
  ]),
) as Readonly<Record<OwnField | 'password', FieldRule>>;

function accepting(rule: (typeof rules)[keyof typeof rules]): FieldRule['accepts'] {
  if (rule.type === 'boolean') return () => false; // not in the form
  if (rule.type === 'text') return acceptsText(rule);
  const acceptsItem = acceptsText(rule.item);
  return (items) => Array.isArray(items) && items.length <= rule.maxItems && items.every(acceptsItem);
}

/** As the service decides: about the text in the form in which it is stored, by its number of code points. */
function acceptsText({ form, pattern, minLength, maxLength }: TextRule): (value: unknown) => boolean {
  const regex = new RegExp(pattern, 'u');
  return (value) => {
    if (typeof value !== 'string') return false;
    const stored = form ? textForms[form](value) : value;
    const length = [...stored].length;
    return length >= minLength && length <= maxLength && regex.test(stored);
  };
}

type History = Pick<Schemas['EmployeeIdHistory']['data'], 'holder' | 'formerHolders'>;
export type FormerHolder = History['formerHolders'][number];

/** The last one who had a free employee ID. The service refuses those in use, and users may have their own back. */
export function formerHolderOf(
  { holder, formerHolders }: History,
  serial: string | undefined,
): FormerHolder | undefined {
  if (holder !== null) return undefined;
  const last = formerHolders.toSorted((one, other) => Date.parse(other.until) - Date.parse(one.until))[0];
  return last?.serial === serial ? undefined : last;
}

export type Creation = Schemas['CreateUser'];

/**
 * The service names the first conflict of a user. This user would have only the other one, so that a form can show both.
 * Undefined if there is no other.
 */
export function userWithoutConflict(
  { password: _, ...creation }: Creation,
  error: unknown,
  unusedEmployeeID: string,
): Creation | undefined {
  if (isRollcallError(error, 'USER_USERNAME_EXISTS')) {
    const { username: __, ...others } = creation;
    return others;
  }
  const isTaken = isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS') && creation.username != null;
  return isTaken ? { ...creation, employeeID: unusedEmployeeID } : undefined;
}
