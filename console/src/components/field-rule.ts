import { type FieldName, fieldRules } from '@rollcall/sheets';
import { commonCopy, errorsCopy } from '../copy/copy.js';

/** The name of a field as forms and tables show it. */
export function fieldLabel(field: string): string {
  const labels: Readonly<Record<string, string>> = commonCopy.fields;
  return labels[field] ?? field;
}

/** What a field accepts, or undefined if it isn't a field of users. */
export function fieldRule(field: string): string | undefined {
  return Object.hasOwn(fieldRules, field) ? ruleText(field as FieldName) : undefined;
}

function ruleText(field: FieldName): string {
  const rule = fieldRules[field];
  switch (rule.type) {
    case 'boolean':
      return errorsCopy.rules.boolean();
    case 'list':
      return errorsCopy.rules.list(rule.item.maxLength, rule.maxItems);
    case 'text': {
      const { list: _, boolean: __, text, ...own } = errorsCopy.rules;
      return (Object.hasOwn(own, field) ? own[field as keyof typeof own] : text)(rule.maxLength);
    }
  }
}
