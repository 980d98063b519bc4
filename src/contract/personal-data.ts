import { Type } from 'typebox';
import { AccessEventView } from './access-events.js';
import { CallView, UpcomingChangeView } from './calls.js';
import { ChangeView } from './changes.js';
import { DeliveryView } from './deliveries.js';
import { applicationScopes, confirmedFields, languages } from './enums.js';
import { FactorView } from './factors.js';
import { NoticeTopics, noticeStates, noticeTopics } from './notices.js';
import { roles } from './scopes.js';
import { orNull, success, Timestamp } from './shapes.js';
import { User } from './users.js';

/** The lists of the reply. Each has a limited length. */
export const personalLists = ['changes', 'messages', 'accessEvents', 'calls'] as const;
export type PersonalList = (typeof personalLists)[number];

const FormerName = Type.Object(
  {
    kind: Type.String({ enum: ['employeeID', 'username'] }),
    name: Type.String({ description: 'Usernames in lower case.' }),
    since: Timestamp,
    until: Timestamp,
  },
  { title: 'FormerName' },
);

const SentMessage = Type.Object(
  {
    ...DeliveryView.properties,
    toEmail: orNull(
      Type.String({
        description:
          'Where it was sent, or is to be sent. A notice goes to the address from before the change.',
      }),
    ),
    toPhone: orNull(Type.String({ description: 'The same for text messages.' })),
  },
  { title: 'PersonalMessage', description: 'A message to the user, without its content.' },
);

const Names = Type.Record(Type.String(), Type.String());

const SentNotice = Type.Object(
  {
    topic: Type.String({ enum: [...noticeTopics] }),
    state: Type.String({ enum: [...noticeStates] }),
    createdAt: Timestamp,
    sentAt: orNull(Timestamp),
  },
  { title: 'PersonalNotice' },
);

export const PersonalDataReply = success(
  'PersonalData',
  Type.Object({
    user: orNull(User),
    role: orNull(Type.String({ enum: [...roles] })),
    language: orNull(Type.String({ enum: [...languages] })),
    formerNames: Type.Array(FormerName, { description: 'Former employee IDs and usernames, oldest first.' }),
    password: orNull(
      Type.Object(
        { changedAt: Timestamp, mustChange: Type.Boolean(), expiresAt: orNull(Timestamp) },
        { description: 'About the password, which itself is stored only as a hash.' },
      ),
    ),
    firstSignedInAt: orNull(Timestamp),
    factors: Type.Array(FactorView, { description: 'Second factors, without their secrets.' }),
    sessions: Type.Array(
      Type.Object({
        createdAt: Timestamp,
        lastSeenAt: Timestamp,
        expiresAt: Timestamp,
        method: Type.String(),
        address: orNull(Type.String()),
        device: orNull(Type.String()),
      }),
    ),
    applications: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        scopes: Type.Array(Type.String({ enum: [...applicationScopes] })),
        firstSignedInAt: Timestamp,
        lastUsedAt: Timestamp,
      }),
      { description: 'The applications that the user has signed in to, and that still have access.' },
    ),
    confirmedContacts: Type.Array(
      Type.Object({ field: Type.String({ enum: [...confirmedFields] }), value: Type.String() }),
      { description: 'The last email and phone that the user has confirmed with a code.' },
    ),
    changes: Type.Array(ChangeView, { description: 'Changes of the user, newest first.' }),
    messages: Type.Array(SentMessage, { description: 'Messages to the user, newest first.' }),
    noticeChoices: {
      ...NoticeTopics,
      description: 'The notices that the user has switched on or off. For the others, the role decides.',
    },
    notices: Type.Array(SentNotice, { description: 'Notices to the user, newest first.' }),
    views: Type.Array(
      Type.Object({
        name: Type.String(),
        query: Type.String(),
        isShared: Type.Boolean(),
        createdAt: Timestamp,
      }),
      { description: 'Views of the user list that the user has saved.' },
    ),
    accessEvents: Type.Array(AccessEventView, {
      description: 'Access events about the user or caused by them, newest first.',
    }),
    calls: Type.Array(CallView, { description: 'Bulk calls by the user, newest first.' }),
    upcomingChanges: Type.Array(UpcomingChangeView, {
      description: 'What planned calls will change, soonest first.',
    }),
    createdClients: Type.Array(Type.Object({ id: Type.String(), createdAt: Timestamp }), {
      description: 'API clients that the user created, as far as access events are kept.',
    }),
    provisioning: orNull(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: 'What identity providers have sent that no field has.',
          examples: [{ externalIds: { 'client-1f2e3d4c5b6a': '00u1ero7vZFVEIYLWPBN' } }],
        },
      ),
    ),
    groupMemberships: Type.Array(
      Type.Object({
        tagSerial: Type.String(),
        value: Type.String({ description: 'What the identity provider calls the user.' }),
        details: Type.Unknown(),
      }),
      { description: 'What identity providers have sent about the user as a member of groups.' },
    ),
    pushedTo: Type.Array(
      Type.Object({
        targetId: Type.String(),
        target: Type.String({ description: 'Its name.' }),
        remoteId: orNull(
          Type.String({ description: 'The ID of the user there; null if they are not there.' }),
        ),
        isActiveThere: Type.Boolean(),
      }),
      { description: 'The SCIM services that the user is pushed to.' },
    ),
    names: Type.Object(
      { organizations: Names, tags: Names, users: Names, clients: Names, feeds: Names },
      {
        description:
          'What the organizations, tags, users, clients and feeds that this reply mentions are called, by their ID. Those without a name are absent.',
        examples: [{ organizations: { 'ORG-4': 'Research' }, tags: {}, users: {}, clients: {}, feeds: {} }],
      },
    ),
    incomplete: Type.Array(Type.String({ enum: [...personalLists] }), {
      description:
        'The lists that are longer than this reply can be. Their own operations return all of their entries.',
    }),
  }),
);
