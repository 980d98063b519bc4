import type { ScimAttribute, ScimSchema } from '../../../src/scim/language/schema.js';

const text = (name: string, options: Partial<ScimAttribute> = {}): ScimAttribute => ({
  name,
  type: 'string',
  ...options,
});

const typedValues = (name: string): ScimAttribute => ({
  name,
  type: 'complex',
  multiValued: true,
  subAttributes: [text('value'), text('display'), text('type'), { name: 'primary', type: 'boolean' }],
});

export const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** The attributes of RFC 7643, section 8.7.1, that tests use, and some with rare characteristics. */
export const userSchema: ScimSchema = {
  id: 'urn:ietf:params:scim:schemas:core:2.0:User',
  attributes: [
    text('schemas', { multiValued: true, caseExact: true, returned: 'always' }),
    text('id', { caseExact: true, mutability: 'readOnly', returned: 'always' }),
    text('externalId', { caseExact: true }),
    {
      name: 'meta',
      type: 'complex',
      mutability: 'readOnly',
      subAttributes: [
        text('resourceType', { caseExact: true, mutability: 'readOnly' }),
        { name: 'created', type: 'dateTime', mutability: 'readOnly' },
        { name: 'lastModified', type: 'dateTime', mutability: 'readOnly' },
      ],
    },
    text('userName', { required: true }),
    {
      name: 'name',
      type: 'complex',
      subAttributes: [text('formatted'), text('familyName'), text('givenName')],
    },
    text('displayName'),
    text('nickName'),
    text('title'),
    text('userType'),
    { name: 'active', type: 'boolean' },
    text('password', { mutability: 'writeOnly', returned: 'never' }),
    typedValues('emails'),
    typedValues('phoneNumbers'),
    {
      name: 'addresses',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        ...['formatted', 'streetAddress', 'locality', 'region', 'postalCode', 'country', 'type'].map((name) =>
          text(name),
        ),
        { name: 'primary', type: 'boolean' },
      ],
    },
    {
      name: 'members',
      type: 'complex',
      multiValued: true,
      subAttributes: [
        text('value', { mutability: 'immutable', caseExact: true }),
        { name: '$ref', type: 'reference', mutability: 'immutable' },
        text('type', { mutability: 'immutable' }),
        text('display', { mutability: 'readOnly' }),
      ],
    },
    text('badge', { mutability: 'immutable' }),
    text('notes', { returned: 'request' }),
    { name: 'logins', type: 'integer' },
    text('constructor'),
    {
      name: enterprise,
      type: 'complex',
      subAttributes: [
        text('employeeNumber'),
        text('department'),
        {
          name: 'manager',
          type: 'complex',
          subAttributes: [
            text('value'),
            { name: '$ref', type: 'reference' },
            text('displayName', { mutability: 'readOnly' }),
          ],
        },
      ],
    },
  ],
};
