import { Type } from 'typebox';
import { AttributeView } from './attributes.js';
import { isWithin } from './code-points.js';
import { type ConfirmedField, changeAuthors, changeKinds, confirmedFields } from './enums.js';
import { type Field, withoutNul } from './fields.js';
import { bodyOf, orNull, pageOf, required, success, Timestamp } from './shapes.js';
import { Manager, patchUserFields, User } from './users.js';

const { name, email, phone, attributes } = patchUserFields;
export const ownProfileFields = { name, email, phone, attributes } as const;

export const PatchOwnProfile = bodyOf(ownProfileFields, {
  title: 'PatchOwnProfile',
  description: 'A JSON merge patch: absent fields are unchanged; null clears a field.',
  patch: true,
});

const fieldField: Field<ConfirmedField> = {
  schema: Type.Unsafe<ConfirmedField>({ type: 'string', enum: [...confirmedFields], examples: ['email'] }),
  rule: `one of ${confirmedFields.join(', ')}`,
  normalize: (sent) => sent,
  accepts: (value): value is ConfirmedField => confirmedFields.some((each) => each === value),
};

const codeMaxLength = 32;

const codeField: Field<string> = {
  schema: Type.String({
    pattern: withoutNul.required,
    minLength: 1,
    maxLength: codeMaxLength,
    description: 'As in the message, with or without spaces.',
    examples: ['4820 1763'],
  }),
  rule: `a text of 1 to ${codeMaxLength} characters`,
  normalize: (sent) => sent,
  accepts: (value): value is string =>
    typeof value === 'string' && value !== '' && isWithin(value, codeMaxLength) && !value.includes('\u0000'),
};

export const confirmContactFields = { field: required(fieldField), code: required(codeField) } as const;

export const ConfirmContact = bodyOf(confirmContactFields, {
  title: 'ConfirmContact',
  description: 'The code that was sent to a new email or phone.',
});

const Report = Type.Object({ ...Manager.properties, isActive: Type.Boolean() }, { title: 'Report' });

export const OwnProfileReply = success(
  'OwnProfile',
  Type.Object({
    user: User,
    organizationName: orNull(
      Type.String({ description: 'Its display name, or else its serial.', examples: ['Sales'] }),
    ),
    tagNames: Type.Array(Type.String(), { description: 'Their display names, or else their serials.' }),
    attributes: Type.Array(AttributeView, {
      description:
        'The attributes that the user may see: those that are not sensitive, or that they may change.',
    }),
    editable: Type.Array(Type.String(), {
      description: 'What the user may change: fields, and attributes as `attributes.<key>`.',
      examples: [['phone', 'attributes.tShirtSize']],
    }),
    confirmations: Type.Array(
      Type.Object({
        field: fieldField.schema,
        value: Type.String(),
        expiresAt: orNull(Timestamp),
      }),
      {
        description: 'New contacts whose code has not been entered yet. expiresAt is null until it is sent.',
      },
    ),
    reports: Type.Array(Report, { description: 'Who reports to the user, by serial; the first 100.' }),
    hasMoreReports: Type.Boolean(),
  }),
);

export const OwnHistoryReply = success(
  'OwnHistory',
  pageOf(
    Type.Object(
      {
        sequence: Type.Integer(),
        at: Timestamp,
        kind: Type.String({ enum: [...changeKinds] }),
        by: Type.String({ enum: [...changeAuthors] }),
        fields: Type.Object(
          {},
          {
            additionalProperties: true,
            description: 'The fields that changed, before and after. Without what identity providers store.',
            examples: [{ phone: { before: null, after: '+44 20 7946 0958' } }],
          },
        ),
      },
      { title: 'OwnChange' },
    ),
  ),
);
