import { Type } from 'typebox';
import { anyText, type Field, nullable } from './fields.js';
import { fieldLimits } from './limits.js';
import { isRole, type Role, roles } from './scopes.js';
import { bodyOf, optional, orNull, required, Scopes, Serial, success } from './shapes.js';

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

export const SignedInReply = success(
  'SignedIn',
  Type.Object({
    accessToken: Type.String({ description: 'For the Authorization header, until sign-out.' }),
    tokenType: Type.String({ const: 'Bearer' }),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    mustChangePassword: Type.Boolean({
      description:
        'True after signing in with an initial password: only changing it and signing out are allowed.',
    }),
    serial: Serial,
    role: RoleOrNone,
    scopes: Scopes,
  }),
);

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
  }),
);

export const DoneReply = success('Done', Type.Object({}));
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
