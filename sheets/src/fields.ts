import { fieldRules, operationFields } from './generated/rules.js';

export type FieldName = keyof typeof fieldRules;
export type Operation = keyof typeof operationFields;

export function fieldsOf(operation: Operation): readonly FieldName[] {
  return operationFields[operation].fields;
}

export function requiredFieldsOf(operation: Operation): readonly FieldName[] {
  return operationFields[operation].required;
}

/** The rule of a field in the words of the service. */
export function ruleOf(field: FieldName): string {
  return fieldRules[field].rule;
}
