import type { Attribute } from '../contract/attributes.js';
import { foldedUserName } from '../contract/user-names.js';
import { placeOf } from './attribute-places.js';
import type { ScimAttribute, ScimSchema } from './language/schema.js';

export const urns = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  /** Attributes that the company has defined. */
  company: 'urn:rollcall:params:scim:schemas:extension:company:2.0:User',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  resourceType: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  search: 'urn:ietf:params:scim:api:messages:2.0:SearchRequest',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  bulkRequest: 'urn:ietf:params:scim:api:messages:2.0:BulkRequest',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  bulkResponse: 'urn:ietf:params:scim:api:messages:2.0:BulkResponse',
} as const;

/** An attribute as `/Schemas` describes it. */
export interface DescribedAttribute extends ScimAttribute {
  readonly description: string;
  readonly uniqueness?: 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly DescribedAttribute[];
}

type Options = Omit<Partial<DescribedAttribute>, 'name' | 'type' | 'description'>;

const text = (name: string, description: string, options: Options = {}): DescribedAttribute => ({
  ...{ name, type: 'string', description },
  ...options,
});

const readOnly = { mutability: 'readOnly' } as const;
const exact = { caseExact: true } as const;

/** An attribute with several values of the shape that RFC 7643 uses for most of them. */
function values(
  name: string,
  description: string,
  types: readonly string[],
  value: Partial<DescribedAttribute> = {},
) {
  return {
    name,
    type: 'complex',
    multiValued: true,
    description,
    subAttributes: [
      { ...text('value', 'The value.'), ...value },
      text('display', 'A name for the value.'),
      text('type', 'What the value is for.', types.length > 0 ? { canonicalValues: types } : {}),
      { name: 'primary', type: 'boolean', description: 'Whether it is the preferred value.' },
    ],
  } as const satisfies DescribedAttribute;
}

const common: readonly DescribedAttribute[] = [
  text('schemas', 'The schemas of the resource.', { multiValued: true, ...exact, returned: 'always' }),
  text('id', 'The serial of the resource.', {
    ...exact,
    ...readOnly,
    returned: 'always',
    uniqueness: 'server',
  }),
  text('externalId', 'The identifier that the provider uses. Each provider has its own.', exact),
  {
    name: 'meta',
    type: 'complex',
    description: 'When the resource was created and changed.',
    ...readOnly,
    subAttributes: [
      text('resourceType', 'User or Group.', { ...exact, ...readOnly }),
      { name: 'created', type: 'dateTime', description: 'When it was created.', ...readOnly },
      { name: 'lastModified', type: 'dateTime', description: 'When it was last changed.', ...readOnly },
      {
        name: 'location',
        type: 'reference',
        description: 'Its URL.',
        referenceTypes: ['uri'],
        ...exact,
        ...readOnly,
      },
      text('version', 'Its entity tag.', { ...exact, ...readOnly }),
    ],
  },
];

const userAttributes: readonly DescribedAttribute[] = [
  text('userName', 'The name to sign in with. Unique ignoring case.', {
    required: true,
    uniqueness: 'server',
    fold: foldedUserName,
  }),
  {
    name: 'name',
    type: 'complex',
    description: 'The parts of the name.',
    subAttributes: [
      text('formatted', 'The full name.'),
      text('familyName', 'The family name.'),
      text('givenName', 'The given name.'),
      text('middleName', 'Middle names.'),
      text('honorificPrefix', 'A title before the name.'),
      text('honorificSuffix', 'A suffix after the name.'),
    ],
  },
  text('displayName', 'The name of the user.'),
  text('nickName', 'A casual name.'),
  {
    name: 'profileUrl',
    type: 'reference',
    description: 'A page about the user.',
    referenceTypes: ['external'],
  },
  text('title', 'The job title.'),
  text('userType', 'The relation to the company, such as Employee.'),
  text('preferredLanguage', 'The language of the user.'),
  text('locale', 'The region, for formats.'),
  text('timezone', 'The time zone.'),
  { name: 'active', type: 'boolean', description: 'Whether the user is active.' },
  text('password', 'An initial password, which the user has to change.', {
    mutability: 'writeOnly',
    returned: 'never',
    ...exact,
  }),
  values('emails', 'Email addresses. Messages go to the primary one.', ['work', 'home', 'other']),
  values('phoneNumbers', 'Phone numbers.', ['work', 'home', 'mobile', 'fax', 'pager', 'other']),
  values('ims', 'Instant messaging addresses.', []),
  values('photos', 'URLs of photos.', ['photo', 'thumbnail'], {
    type: 'reference',
    referenceTypes: ['external'],
    ...exact,
  }),
  {
    name: 'addresses',
    type: 'complex',
    multiValued: true,
    description: 'Postal addresses.',
    subAttributes: [
      text('formatted', 'The full address.'),
      text('streetAddress', 'Street and number.'),
      text('locality', 'City.'),
      text('region', 'State or region.'),
      text('postalCode', 'Postal code.'),
      text('country', 'Country.'),
      text('type', 'What the address is for.', { canonicalValues: ['work', 'home', 'other'] }),
      { name: 'primary', type: 'boolean', description: 'Whether it is the preferred address.' },
    ],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    description: 'The groups of the user. Change them at /Groups.',
    ...readOnly,
    subAttributes: [
      text('value', 'The ID of the group.', { ...exact, ...readOnly }),
      {
        name: '$ref',
        type: 'reference',
        description: 'Its URL.',
        referenceTypes: ['Group'],
        ...exact,
        ...readOnly,
      },
      text('display', 'Its name.', readOnly),
      text('type', 'Always direct.', { canonicalValues: ['direct'], ...readOnly }),
    ],
  },
  values('entitlements', 'What the user may use.', []),
  values('roles', 'Roles in other systems. They give no rights here.', []),
  values('x509Certificates', 'Certificates, in base64.', [], { type: 'binary', ...exact }),
];

const enterprise: DescribedAttribute = {
  name: urns.enterprise,
  type: 'complex',
  description: 'Enterprise User',
  subAttributes: [
    text('employeeNumber', 'The employee ID: letters and digits.', { ...exact, uniqueness: 'server' }),
    text('costCenter', 'The cost center.'),
    text('organization', 'The organization, by its name or serial.'),
    text('division', 'The division.'),
    text('department', 'The department.'),
    {
      name: 'manager',
      type: 'complex',
      description: 'The manager.',
      subAttributes: [
        text('value', 'The ID of the manager.', exact),
        {
          name: '$ref',
          type: 'reference',
          description: 'The URL of the manager.',
          referenceTypes: ['User'],
          ...exact,
        },
        text('displayName', 'The name of the manager.', readOnly),
      ],
    },
  ],
};

const groupAttributes: readonly DescribedAttribute[] = [
  text('displayName', 'The name of the group.', { required: true }),
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'The users of the group.',
    subAttributes: [
      text('value', 'The ID of the member.', { ...exact, mutability: 'immutable' }),
      {
        name: '$ref',
        type: 'reference',
        description: 'Its URL.',
        referenceTypes: ['User', 'Group'],
        mutability: 'immutable',
        ...exact,
      },
      text('type', 'User or Group.', { canonicalValues: ['User', 'Group'], mutability: 'immutable' }),
      text('display', 'The name of the member.'),
      text('displayName', 'As sent by Microsoft Entra ID: the name of the member.'),
    ],
  },
];

export const groupSchema: ScimSchema = { id: urns.group, attributes: [...common, ...groupAttributes] };

/** The schema of users, with the attributes of the company that the caller may see. */
export function userSchema(company: readonly Attribute[]): ScimSchema {
  return {
    id: urns.user,
    attributes: [...common, ...userAttributes, enterprise, ...companyExtension(company)],
  };
}

/** Without attributes, there is no extension: an empty one would be announced for nothing. */
function companyExtension(company: readonly Attribute[]): DescribedAttribute[] {
  const own = company.filter((attribute) => placeOf(attribute) === 'extension');
  if (own.length === 0) return [];
  const description = 'Attributes that the company has defined';
  const subAttributes = own.map(companyAttribute);
  return [{ name: urns.company, type: 'complex', description, subAttributes }];
}

function companyAttribute({ key, type, labels, choices, isUnique }: Attribute): DescribedAttribute {
  const isList = type === 'list';
  return {
    name: key,
    type: type === 'number' ? 'decimal' : type === 'boolean' ? 'boolean' : 'string',
    description: labels.en ?? key,
    ...(isList && { multiValued: true }),
    ...exact,
    ...(choices && { canonicalValues: choices }),
    ...(isUnique && { uniqueness: 'server' as const }),
  };
}

interface SchemaDescription {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly attributes: readonly object[];
}

/** What `/Schemas` lists. */
export function schemaDescriptions(company: readonly Attribute[]): SchemaDescription[] {
  const extension = (name: string, { name: id, description, subAttributes = [] }: DescribedAttribute) => ({
    ...{ id, name, description, attributes: subAttributes.map(describe) },
  });
  return [
    { id: urns.user, name: 'User', description: 'User Account', attributes: userAttributes.map(describe) },
    { id: urns.group, name: 'Group', description: 'Group', attributes: groupAttributes.map(describe) },
    extension('EnterpriseUser', enterprise),
    ...companyExtension(company).map((each) => extension('CompanyUser', each)),
  ];
}

/** With every characteristic of RFC 7643, section 7. */
function describe(attribute: DescribedAttribute): object {
  const { name, type, description, canonicalValues, referenceTypes, subAttributes } = attribute;
  const { multiValued = false, required = false, uniqueness = 'none' } = attribute;
  const { caseExact = type === 'reference', mutability = 'readWrite', returned = 'default' } = attribute;
  return {
    ...{ name, type, multiValued, description, required, caseExact, mutability, returned, uniqueness },
    ...(canonicalValues && { canonicalValues }),
    ...(referenceTypes && { referenceTypes }),
    ...(subAttributes && { subAttributes: subAttributes.map(describe) }),
  };
}
