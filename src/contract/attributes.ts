import { type TSchema, Type } from 'typebox';
import { isWithin } from './code-points.js';
import { type AttributeType, attributeTypes, type Language, languages } from './enums.js';
import {
  type Field,
  flagField,
  isStorable,
  keyField,
  lineField,
  wholeNumberField,
  withoutNul,
} from './fields.js';
import { attributeLimits, fieldLimits } from './limits.js';
import { bodyOf, optional, orNull, required, success, Timestamp } from './shapes.js';

export { type AttributeType, attributeTypes };

/** What an administrator decides about an attribute. */
export interface AttributeSettings {
  readonly key: string;
  readonly type: AttributeType;
  /** What people call it, by language. */
  readonly labels: Labels;
  /** Other headings of its column in files. */
  readonly synonyms: readonly string[];
  /** Of a text, or of each text of a list. */
  readonly maxLength: number | null;
  /** Of a text. */
  readonly pattern: string | null;
  /** Of a number or a date. */
  readonly minimum: Bound | null;
  readonly maximum: Bound | null;
  readonly choices: readonly string[] | null;
  readonly isUnique: boolean;
  readonly isSearchable: boolean;
  readonly isFilterable: boolean;
  readonly isSensitive: boolean;
  readonly isEditableByUser: boolean;
}

export type Labels = { readonly [Name in Language]?: string };
export type Bound = number | string;

/** A defined attribute. */
export interface Attribute extends AttributeSettings {
  readonly id: number;
  readonly version: number;
  readonly isRetired: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

const labelText = lineField({ example: 'Department' });

const labelsField: Field<Labels> = {
  schema: Type.Object(
    Object.fromEntries(languages.map((language) => [language, Type.Optional(labelText.schema)])),
    {
      additionalProperties: false,
      description: 'What people call it, by language. The key is shown in languages without a label.',
      examples: [{ en: 'Department', de: 'Abteilung' }],
    },
  ),
  rule: `an object with a label of 1 to ${fieldLimits.labelMaxLength} characters for any of ${languages.join(', ')}`,
  normalize: (sent) => {
    if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return sent;
    return Object.fromEntries(Object.entries(sent).map(([key, label]) => [key, labelText.normalize(label)]));
  },
  accepts: (value): value is Labels =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(
      ([language, label]) => languages.some((each) => each === language) && labelText.accepts(label),
    ),
};

/** A list of distinct texts, at least one. */
function textsField(options: { count: number; description: string; example: string[] }): Field<string[]> {
  const { count, description, example } = options;
  return {
    schema: Type.Array(labelText.schema, {
      maxItems: count,
      uniqueItems: true,
      description,
      examples: [example],
    }),
    rule: `a list of at most ${count} distinct texts of 1 to ${fieldLimits.labelMaxLength} characters`,
    normalize: (sent) => (Array.isArray(sent) ? sent.map((each) => labelText.normalize(each)) : sent),
    accepts: (value): value is string[] =>
      Array.isArray(value) &&
      value.length <= count &&
      new Set(value).size === value.length &&
      value.every((each) => labelText.accepts(each)),
  };
}

const typeField: Field<AttributeType> = {
  schema: Type.Unsafe<AttributeType>({
    type: 'string',
    enum: [...attributeTypes],
    description: 'What its values are. It cannot be changed. A date has no time; a list contains texts.',
    examples: ['text'],
  }),
  rule: `one of ${attributeTypes.join(', ')}`,
  normalize: (sent) => sent,
  accepts: (value): value is AttributeType => attributeTypes.some((type) => type === value),
};

/** A number or a date; which of the two depends on the type. */
const boundField = (description: string): Field<Bound> => ({
  schema: Type.Unsafe<Bound>({ anyOf: [{ type: 'number' }, { type: 'string' }], description, examples: [0] }),
  rule: 'a number, or a date such as 2026-12-31',
  normalize: (sent) => (sent === '' ? null : sent),
  accepts: (value): value is Bound => typeof value === 'string' || typeof value === 'number',
});

/** Whether it can be a pattern is checked together with the type. */
const patternField: Field<string> = {
  schema: Type.String({
    pattern: withoutNul.optional,
    maxLength: attributeLimits.patternMaxLength,
    description:
      'A regular expression that a text has to match as a whole, in the syntax of RE2: without lookaround and backreferences, so that matching always takes linear time. Limit the length with maxLength: long counted repetitions such as {1,1000} are refused.',
    examples: ['[A-Z]{2}-[0-9]{4}'],
  }),
  rule: `a regular expression of at most ${attributeLimits.patternMaxLength} characters, without NUL and lone surrogates`,
  normalize: (sent) => (sent === '' ? null : sent),
  accepts: (value): value is string =>
    typeof value === 'string' && isWithin(value, attributeLimits.patternMaxLength) && isStorable(value),
};

/** What can be changed later, too. */
const changeableSettings = {
  labels: optional(labelsField),
  synonyms: optional(
    textsField({
      count: attributeLimits.synonymsMax,
      description: 'Other headings of its column in files.',
      example: ['Dept', 'Bereich'],
    }),
  ),
  maxLength: optional(
    wholeNumberField({
      minimum: 1,
      maximum: attributeLimits.textMaxLength,
      description: `The length of a text, or of each text of a list; by default ${attributeLimits.textDefaultLength}.`,
    }),
  ),
  pattern: optional(patternField),
  minimum: optional(boundField('The smallest number, or the earliest date.')),
  maximum: optional(boundField('The largest number, or the latest date.')),
  choices: optional(
    textsField({
      count: attributeLimits.choicesMax,
      description: 'The values of a choice, in the order in which they are offered.',
      example: ['Berlin', 'Lyon'],
    }),
  ),
  isUnique: optional(flagField('Whether no two users may have the same value. Of texts, numbers and dates.')),
  isSearchable: optional(
    flagField('Whether searches find users by it. Of texts, choices and lists that are not sensitive.'),
  ),
  isFilterable: optional(flagField('Whether lists can be filtered and sorted by it.')),
  isSensitive: optional(
    flagField('Whether only callers with the scope attributes:sensitive see and change it.'),
  ),
  isEditableByUser: optional(flagField('Whether users may change their own value.')),
} as const;

export const createAttributeFields = {
  key: required(keyField),
  type: required(typeField),
  ...changeableSettings,
} as const;

export const patchAttributeFields = {
  key: required(keyField),
  ...changeableSettings,
  isRetired: required(
    flagField('True stops accepting values and keeps those that users have; false accepts them again.'),
  ),
} as const;

export const CreateAttribute = bodyOf(createAttributeFields, {
  title: 'CreateAttribute',
  description: 'A field of users.',
});

export const PatchAttribute = bodyOf(patchAttributeFields, {
  title: 'PatchAttribute',
  description: 'A JSON merge patch: absent fields are unchanged, null restores the default.',
  patch: true,
});

const attributeProperties: Record<string, TSchema> = {
  key: keyField.schema,
  type: typeField.schema,
  labels: labelsField.schema,
  synonyms: Type.Array(Type.String()),
  maxLength: orNull(Type.Integer()),
  pattern: orNull(Type.String()),
  minimum: orNull(boundField('').schema),
  maximum: orNull(boundField('').schema),
  choices: orNull(Type.Array(Type.String())),
  isUnique: Type.Boolean(),
  isSearchable: Type.Boolean(),
  isFilterable: Type.Boolean(),
  isSensitive: Type.Boolean(),
  isEditableByUser: Type.Boolean(),
  isRetired: Type.Boolean({ description: 'Whether values are no longer accepted.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const AttributeView = Type.Object(attributeProperties, {
  title: 'Attribute',
  description: 'A field of users that an administrator has defined.',
});

export const AttributeReply = success('AttributeReply', AttributeView);
export const AttributeListReply = success(
  'AttributeList',
  Type.Object({
    items: Type.Array(AttributeView, { description: 'In the order in which they were created.' }),
  }),
);
export const AttributeDeletedReply = success(
  'AttributeDeleted',
  Type.Object({
    key: keyField.schema,
    users: Type.Integer({ description: 'How many users have, or had, a value.', examples: [42] }),
    callId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'The bulk call that cleared the values. Absent if there were none.',
      }),
    ),
  }),
);

/** Without what only the service needs to know. */
export function attributeView({ id: _, version: __, ...attribute }: Attribute) {
  return attribute;
}
