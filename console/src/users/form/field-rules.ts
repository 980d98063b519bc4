import { operationFields, fieldRules as rules, type TextForm, textForms } from '@rollcall/sheets';
import type { DraftField } from './draft.js';

/** A validation rule of the service, generated from its API. */
export interface FieldRule {
  readonly required: boolean;
  readonly accepts: (value: string | readonly string[]) => boolean;
}

interface TextRule {
  readonly form?: TextForm;
  readonly pattern: string;
  readonly minLength: number;
  readonly maxLength: number;
}

const { tagSerials } = rules;
const required: readonly string[] = operationFields.create.required;
const tag = acceptsText(tagSerials.item);

export const fieldRules: Readonly<Record<DraftField | 'password', FieldRule>> = {
  employeeID: textRule('employeeID'),
  name: textRule('name'),
  username: textRule('username'),
  email: textRule('email'),
  phone: textRule('phone'),
  organizationSerial: textRule('organizationSerial'),
  password: textRule('password'),
  tagSerials: {
    required: required.includes('tagSerials'),
    accepts: (tags) => Array.isArray(tags) && tags.length <= tagSerials.maxItems && tags.every(tag),
  },
};

function textRule(field: Exclude<DraftField, 'tagSerials'> | 'password'): FieldRule {
  const rule: TextRule = rules[field];
  return { required: required.includes(field), accepts: acceptsText(rule) };
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
