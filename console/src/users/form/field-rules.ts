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

const required: readonly string[] = operationFields.create.required;

export const fieldRules = Object.fromEntries(
  Object.entries(rules).map(([field, rule]) => [
    field,
    { required: required.includes(field), accepts: accepting(rule) },
  ]),
) as Readonly<Record<DraftField | 'password', FieldRule>>;

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
