import {
  attributeField,
  fieldsOf,
  isAttributeField,
  type RecipeField,
  type RecipeProblem,
} from '@rollcall/sheets';
import { attributeLabel, attributeName } from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { commonCopy } from '../../copy/copy.js';
import { feedFormCopy, importCopy } from '../../copy/on-demand-copy.js';

const copy = feedFormCopy.mapping;

const ownFields = ['renamedFrom', 'effectiveDate'] as const;
/** New users of a feed get a password of their own. */
const userFields = fieldsOf('sync').filter((field) => field !== 'password');
const labels: Readonly<Record<string, string>> = {
  ...commonCopy.fields,
  ...copy.fields,
  managerEmployeeID: importCopy.columns.managerEmployeeID,
};

export type Choice =
  | { readonly value: string; readonly label: string }
  | { readonly group: string; readonly items: { readonly value: string; readonly label: string }[] };

/** The fields that columns can be for, and what they are called. */
export function useFieldChoices(used: ReadonlySet<string> = new Set()): {
  readonly choices: Choice[];
  readonly nameOf: (field: RecipeField | '') => string;
} {
  const attributes = useAttributes();
  const offered = attributes
    .filter(({ key, isRetired }) => !isRetired || used.has(attributeField(key)))
    .map((attribute) => ({ value: attributeField(attribute.key), label: attributeLabel(attribute) }));
  return {
    choices: [
      { value: '', label: copy.chooseField },
      ...[...userFields, ...ownFields].map((field) => ({ value: field, label: labels[field] ?? field })),
      ...(offered.length > 0 ? [{ group: commonCopy.fields.attributes, items: offered }] : []),
    ],
    nameOf: (field) =>
      isAttributeField(field) ? attributeName(field, attributes) : (labels[field] ?? field),
  };
}

const texts = copy.problems;

/** A problem of a mapping in words of the console. */
export function mappingProblemText(problem: RecipeProblem, nameOf: (field: RecipeField) => string): string {
  switch (problem.code) {
    case 'FIELD_MISSING':
      return texts.FIELD_MISSING(nameOf(problem.field));
    case 'PAD_TO_INVALID':
      return texts.PAD_TO_INVALID(problem.max);
    case 'TEXT_TOO_LONG':
      return texts.TEXT_TOO_LONG(problem.max);
    default:
      return texts[problem.code];
  }
}
