import { Type } from 'typebox';
import { labelField, wholeNumberField } from './fields.js';
import { tokenDaysMax } from './limits.js';
import { bodyOf, optional, orNull, pageOf, required, success, Timestamp } from './shapes.js';

const tokenNameField = labelField('Where the token is used.', 'Okta');

export const createClientTokenFields = {
  name: required(tokenNameField),
  expiresInDays: optional(
    wholeNumberField({
      minimum: 1,
      maximum: tokenDaysMax,
      description: 'After how many days the token stops working. Without it, it works until it is revoked.',
    }),
  ),
} as const;

export const CreateClientToken = bodyOf(createClientTokenFields, {
  title: 'CreateClientToken',
  description: 'A long-lived token of a client.',
});

const tokenProperties = {
  id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5e'] }),
  name: tokenNameField.schema,
  createdAt: Timestamp,
  expiresAt: orNull(Timestamp),
  revokedAt: orNull(Timestamp),
  lastUsedAt: Type.Union([Timestamp, Type.Null()], {
    description: 'When the token was last used, to the minute.',
  }),
};

export const ClientTokenView = Type.Object(tokenProperties, { title: 'ClientToken' });
export const ClientTokenReply = success('ClientTokenReply', ClientTokenView);
export const ClientTokenListReply = success('ClientTokenList', pageOf(ClientTokenView));
export const ClientTokenSecretReply = success(
  'ClientTokenSecretReply',
  Type.Object({
    ...tokenProperties,
    token: Type.String({
      description: 'Shown only once; the service stores its hash.',
      examples: ['rct_mF9x…'],
    }),
  }),
);
