import { Type } from 'typebox';
import { type Field, flagField, labelField, serialReferenceField, writtenNameField } from './fields.js';
import { bodyOf, optional, pageOf, required, success } from './shapes.js';

/** The directories. */
export const directoryKinds = ['organizations', 'tags'] as const;
export type DirectoryKind = (typeof directoryKinds)[number];

const displayName = labelField('The name that people see instead of the serial.', 'Sales, Berlin');

/** What happened to an entry. Renamed serials and merges are bulk calls. */
export const directoryEditKinds = ['added', 'changed', 'removed'] as const;
export type DirectoryEditKind = (typeof directoryEditKinds)[number];

/** What lists of a directory can be sorted by. */
export const directorySorts = ['serial', 'name'] as const;
export type DirectorySort = (typeof directorySorts)[number];

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

/** The elements are checked one by one, so that the error can name the invalid one. */
const namesField: Field<unknown[]> = {
  schema: Type.Array(writtenNameField.schema, {
    minItems: 1,
    examples: [['ORG7', 'sales,  Berlin', 'Marketing']],
  }),
  rule: 'an array of one or more strings',
  normalize: (sent) => sent,
  accepts: (value): value is unknown[] => Array.isArray(value) && value.length > 0,
};
export const resolveNamesFields = { names: required(namesField) } as const;
export const ResolveNames = bodyOf(resolveNamesFields, {
  title: 'ResolveNames',
  description: 'Names of organizations or tags, as written in a file.',
});

export const rememberNameFields = {
  name: required(writtenNameField),
  serial: optional(serialReferenceField),
  isForgotten: optional(flagField('true: forgets what was decided about the name. The serial is ignored.')),
} as const;
export const RememberNames = Type.Object(
  {
    items: Type.Array(
      bodyOf(rememberNameFields, {
        title: 'RememberedName',
        description:
          'What a name in a file means: the entry with the serial, or nothing without one. A name that means nothing is left out.',
      }),
    ),
  },
  { title: 'RememberNames', additionalProperties: false },
);

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
  return Type.Object(
    {
      total: count(42),
      active: count(40),
      isExact: Type.Boolean({
        description:
          'false for some seconds after thousands of changes, of which only the newest are counted.',
      }),
    },
    { description },
  );
}

const NamedEntry = Type.Object(
  { serial: entry.serial, displayName: entry.displayName },
  { title: 'NamedEntry' },
);

export const Organization = Type.Object(
  {
    ...entry,
    parentSerial: nullableText('The parent organization.', 'ORG1'),
    hasParts: Type.Boolean({ description: 'Whether other organizations are part of it.' }),
    usersWithParts: Type.Optional(
      userCounts('With includeParts=true: the users of it and of all organizations that are part of it.'),
    ),
    parents: Type.Optional(
      Type.Array(NamedEntry, {
        description: 'With includeParents=true: the organizations that it is part of, from the top.',
      }),
    ),
  },
  { title: 'Organization' },
);
export const Tag = Type.Object(entry, { title: 'Tag' });

export const OrganizationReply = success('OrganizationReply', Organization);
export const OrganizationListReply = success('OrganizationList', pageOf(Organization));
export const TagReply = success('TagReply', Tag);
export const TagListReply = success('TagList', pageOf(Tag));

/** How a name was recognized, or why it was not. */
export const nameMatches = ['serial', 'name', 'decision', 'formerName', 'ambiguous', 'unknown'] as const;
export type NameMatchKind = (typeof nameMatches)[number];

export const ResolvedNamesReply = success(
  'ResolvedNames',
  Type.Object({
    items: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As requested.', examples: ['sales,  Berlin'] }),
          key: Type.String({
            description: 'What names are compared by: names with the same key mean the same.',
            examples: ['sales, berlin'],
          }),
          match: Type.String({
            enum: [...nameMatches],
            description:
              'In this order: the exact `serial`; the current `name` of one entry; an earlier `decision`; the `formerName` or former serial of one entry. Otherwise the name is `ambiguous` or `unknown`.',
          }),
          entry: Type.Union([NamedEntry, Type.Null()], {
            description:
              'What the name means; null if it was decided that it is left out, or if it is not known.',
          }),
          candidates: Type.Array(NamedEntry, {
            description:
              'For an ambiguous name the entries that it may mean, and for an unknown one up to three that look like it.',
          }),
        },
        { title: 'ResolvedName' },
      ),
    ),
    mayCreate: Type.Boolean({
      description: 'Whether users can get a serial that is not in the directory yet, which adds it.',
    }),
  }),
);
