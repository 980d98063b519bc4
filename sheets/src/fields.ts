import { fieldRules, operationFields } from './generated/rules.js';

export type FieldName = keyof typeof fieldRules;

/** A sync is not an operation of the service: its rows turn into creates and updates later. */
export type Operation = keyof typeof operationFields | 'sync';

interface OperationFields {
  readonly fields: readonly FieldName[];
  readonly required: readonly FieldName[];
}

const { create, update } = operationFields;
const operations: Readonly<Record<Operation, OperationFields>> = {
  create,
  update,
  sync: { fields: [...new Set([...create.fields, ...update.fields])], required: ['employeeID'] },
};

export function fieldsOf(operation: Operation): readonly FieldName[] {
  return operations[operation].fields;
}

export function requiredFieldsOf(operation: Operation): readonly FieldName[] {
  return operations[operation].required;
}

/** The rule of a field, in the service's words. */
export function ruleOf(field: FieldName): string {
  return fieldRules[field].rule;
}
