import { Type } from 'typebox';
import { secondFactorStates } from './enums.js';
import { codeField, passkeyAssertionField } from './factors.js';
import { anyText, type Field, nullable } from './fields.js';
import { fieldLimits } from './limits.js';
import { isRole, type Role, roles } from './scopes.js';
import { bodyOf, optional, orNull, pageOf, required, Scopes, Serial, success, Timestamp } from './shapes.js';

const roleField: Field<Role> = {
  schema: Type.String({ enum: [...roles] }),
  rule: `one of ${roles.join(', ')}, or null for none`,
  normalize: (sent) => sent,
  accepts: isRole,
};

export const signInFields = {
  username: required(
    anyText('The username, ignoring case, or the employee ID if no user has it as a username.', 'ada'),
  ),
  password: required(anyText('The password.', 'correct horse battery staple')),
} as const;

export const changePasswordFields = {
  currentPassword: required(anyText('The current password.', 'k3VxPq…')),
  // Accepts any text here; the password rules report what is wrong with it.
  newPassword: required({
    ...anyText('', ''),
    schema: Type.String({
      minLength: fieldLimits.chosenPasswordMinLength,
      maxLength: fieldLimits.passwordMaxLength,
      description:
        'Any characters. Not a common password, not based on the product or company name, the username, employee ID or email, and not the current password.',
      examples: ['correct horse battery staple'],
    }),
  }),
} as const;

export const signInMethods = ['password', 'passkey', 'provider'] as const;
/** How a user proved who they are when a session was opened: with the password, a passkey, or at the company's identity provider. */
export type SignInMethod = (typeof signInMethods)[number];

/** Null means no role, so the field must be present. */
export const roleFields = { role: optional(roleField) } as const;

export const SignIn = bodyOf(signInFields, { title: 'SignIn', description: 'Credentials of a user.' });
export const ChangePassword = bodyOf(changePasswordFields, {
  title: 'ChangePassword',
  description: 'A new password chosen by the user.',
});
const RoleOrNone = nullable(roleField.schema);
export const SetRole = Type.Object(
  { role: nullable({ ...roleField.schema, description: 'The role; null for none.' }) },
  { title: 'SetRole', description: 'A role, or null for none.', additionalProperties: false },
);

const expiresIn = Type.Integer({ description: 'Seconds.' });
const accessToken = Type.String({ description: 'For the Authorization header, until sign-out.' });
const tokenType = Type.String({ const: 'Bearer' });

const SecondFactorState = Type.String({
  enum: [...secondFactorStates],
  description:
    'What is missing before the session can be used: none; required, a factor of the user; or enrol, their first factor, which the company requires.',
});

const session = {
  expiresIn,
  sessionId: Type.String({ description: 'Which of the sessions of the user it is.' }),
  method: Type.String({ enum: [...signInMethods], description: 'How the user signed in.' }),
  mustChangePassword: Type.Boolean({
    description:
      'True after signing in with an initial password: only changing it and signing out are allowed.',
  }),
  secondFactor: SecondFactorState,
  serial: Serial,
  role: RoleOrNone,
  scopes: Scopes,
};

export const SignedInReply = success('SignedIn', Type.Object({ accessToken, tokenType, ...session }));

/** The token is in a cookie. */
export const SessionOpenedReply = success('SessionOpened', Type.Object(session));

export const MeReply = success(
  'Me',
  Type.Object({
    kind: Type.String({ enum: ['client', 'person', 'outside'] }),
    id: Type.String({ description: 'The client ID, the serial of the user, or issuer and subject.' }),
    name: orNull(Type.String({ description: 'The name of the user.' })),
    username: orNull(Type.String()),
    employeeID: orNull(Type.String({ description: 'The employee ID of the user.' })),
    role: RoleOrNone,
    scopes: Scopes,
    sessionId: orNull(Type.String({ description: 'Which of the sessions of the user it is.' })),
    secondFactor: SecondFactorState,
    method: orNull(
      Type.String({ enum: [...signInMethods], description: 'How the user of the session signed in.' }),
    ),
  }),
);

export const proveFields = {
  password: optional(signInFields.password.field),
  code: optional(codeField),
  passkey: optional(passkeyAssertionField),
} as const;
export const Prove = bodyOf(proveFields, {
  title: 'Prove',
  description: 'A passkey, or the password. Users with a second factor add a code to the password.',
});

/** The session goes on with another token. */
export const RenewedReply = success(
  'Renewed',
  Type.Object({
    accessToken: Type.Optional(
      Type.String({ description: 'For the Authorization header. Missing if the session is in a cookie.' }),
    ),
    tokenType: Type.Optional(tokenType),
    expiresIn,
  }),
);

export const SessionView = Type.Object(
  {
    id: Type.String({ examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5f'] }),
    userSerial: Serial,
    createdAt: Timestamp,
    lastSeenAt: Type.String({ format: 'date-time', description: 'When it was last used, to the minute.' }),
    expiresAt: Timestamp,
    method: Type.String({ enum: [...signInMethods], description: 'How the user signed in.' }),
    address: orNull(Type.String({ description: 'The network address of the sign-in.' })),
    device: orNull(Type.String({ examples: ['Firefox on Windows'] })),
    isCurrent: Type.Boolean({ description: 'Whether it is the session of this request.' }),
  },
  { title: 'Session' },
);
export const SessionListReply = success('SessionList', pageOf(SessionView));
export const SessionsEndedReply = success('SessionsEnded', Type.Object({ ended: Type.Integer() }));

export const DoneReply = success('Done', Type.Object({}));
export const SignedOutReply = success(
  'SignedOut',
  Type.Object({
    providerSignOutUrl: orNull(
      Type.String({
        description:
          'Where the browser can go to end the session at the identity provider, too. Null unless the user signed in there, or if the provider has no such page.',
        examples: ['https://login.example.com/session/end?client_id=rollcall'],
      }),
    ),
  }),
);
export const RoleReply = success(
  'RoleReply',
  Type.Object({
    serial: Serial,
    role: RoleOrNone,
    formerRole: nullable(
      Type.String({
        enum: [...roles],
        description:
          'The role that the last deactivation removed; null for a user who has a role or never had one.',
      }),
    ),
  }),
);
