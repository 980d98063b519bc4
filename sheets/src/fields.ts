import { fieldRules, operationFields, userFields } from './generated/rules.js';

export type FieldName = keyof typeof fieldRules;
export type FieldType<Field extends FieldName = FieldName> = (typeof fieldRules)[Field]['type'];

/** What mappings and problems call an attribute, as the service does. */
export type AttributeField = `attributes.${string}`;
export type MappedField = FieldName | AttributeField;

const attributePrefix = 'attributes.';

export function attributeField(key: string): AttributeField {
  return `${attributePrefix}${key}`;
}

export function isAttributeField(field: string): field is AttributeField {
  return field.startsWith(attributePrefix);
}

export function attributeKey(field: AttributeField): string {
  return field.slice(attributePrefix.length);
}

/** The value of an attribute. A key can be the name of what every object inherits, such as constructor. */
export function attributeIn<Value>(
  attributes: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}

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

export function typeOf(field: FieldName): FieldType {
  return fieldRules[field].type;
}

/** Whether users can be without it. Others have it always, or an empty value means the same as none. */
export function isClearable(field: FieldName): boolean {
  const rows: Readonly<Record<string, { readonly isRequired: boolean }>> = userFields;
  return rows[field]?.isRequired === false;
}
