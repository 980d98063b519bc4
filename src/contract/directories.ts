import { Type } from 'typebox';
import { labelField, serialReferenceField } from './fields.js';
import { bodyOf, optional, pageOf, required, success } from './shapes.js';

/** The directories. */
export const directoryKinds = ['organizations', 'tags'] as const;
export type DirectoryKind = (typeof directoryKinds)[number];

const displayName = labelField('The name that people see instead of the serial.', 'Sales, Berlin');

export const organizationFields = {
  displayName: optional(displayName),
  parentSerial: optional(serialReferenceField),
} as const;
export const tagFields = { displayName: optional(displayName) } as const;
export const renameSerialFields = {
  serial: required(serialReferenceField),
  newSerial: required(serialReferenceField),
} as const;
export const mergeSerialFields = {
  serial: required(serialReferenceField),
  into: required(serialReferenceField),
} as const;

const putDescription = 'Replaces what the directory says. Absent and null fields are removed.';
export const PutOrganization = bodyOf(organizationFields, {
  title: 'PutOrganization',
  description: putDescription,
});
export const PutTag = bodyOf(tagFields, { title: 'PutTag', description: putDescription });
export const RenameSerial = bodyOf(renameSerialFields, {
  title: 'RenameSerial',
  description: 'The serial, and one that is not in the directory yet.',
});
export const MergeSerial = bodyOf(mergeSerialFields, {
  title: 'MergeSerial',
  description: 'The serial that disappears from all users, and the one that takes its place.',
});

const nullableText = (description: string, example: string) =>
  Type.Union([Type.String({ examples: [example] }), Type.Null()], { description });
const entry = {
  serial: Type.String({ examples: ['ORG7'] }),
  displayName: nullableText('The name that people see; null if none is set.', 'Sales, Berlin'),
  users: userCounts('How many users have it now, and how many of them are active.'),
};

function userCounts(description: string) {
  const count = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
  return Type.Object({ total: count(42), active: count(40) }, { description });
}

export const Organization = Type.Object(
  {
    ...entry,
    parentSerial: nullableText('The parent organization.', 'ORG1'),
    hasParts: Type.Boolean({ description: 'Whether other organizations are part of it.' }),
    usersWithParts: Type.Optional(
      userCounts('With includeParts=true: the users of it and of all organizations that are part of it.'),
    ),
  },
  { title: 'Organization' },
);
export const Tag = Type.Object(entry, { title: 'Tag' });

export const OrganizationReply = success('OrganizationReply', Organization);
export const OrganizationListReply = success('OrganizationList', pageOf(Organization));
export const TagReply = success('TagReply', Tag);
export const TagListReply = success('TagList', pageOf(Tag));
