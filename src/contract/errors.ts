import { type Static, type TObject, Type } from 'typebox';
import { callStates, feedRunStates, type SecondFactor, scimErrorTypes, secondFactorStates } from './enums.js';
import { scopes } from './scopes.js';
import { Serial } from './shapes.js';

/** The rules for passwords. */
export const passwordRules = ['length', 'characters', 'ownName', 'common', 'guessable', 'unchanged'] as const;
export type PasswordRule = (typeof passwordRules)[number];

/** What an easily guessed password is based on. */
export const passwordWords = ['product', 'company', 'username', 'employeeID', 'email'] as const;
export type PasswordWord = (typeof passwordWords)[number];

/** The rules of fields that a program can't check by itself. */
export const fieldRuleNames = [...passwordRules, 'directory'] as const;
export type FieldRuleName = (typeof fieldRuleNames)[number];

const field = Type.String({ description: 'The name of the field.', examples: ['phone'] });
const InvalidField = Type.Object({
  field,
  problem: Type.String({
    description: 'What is wrong with the field and what to do next, to be read after its name.',
    examples: ['must be a boolean, true or false.'],
  }),
  rule: Type.Optional(
    Type.Unsafe<FieldRuleName>({
      type: 'string',
      enum: [...fieldRuleNames],
      description:
        'The rule that the value breaks, if it is one for passwords, or that a serial must be in its directory.',
      examples: ['directory'],
    }),
  ),
});
const RefusedPassword = Type.Object({
  rule: Type.Unsafe<PasswordRule>({
    type: 'string',
    enum: [...passwordRules],
    description: 'The rule that the password breaks.',
    examples: ['guessable'],
  }),
  basedOn: Type.Optional(
    Type.Array(Type.Unsafe<PasswordWord>({ type: 'string', enum: [...passwordWords] }), {
      description: 'What a guessable password is based on.',
      examples: [['company']],
    }),
  ),
});
const fields = Type.Array(Type.String(), { description: 'The names of the fields.', examples: [['email']] });
const limit = (description: string, example: number) => Type.Integer({ description, examples: [example] });
const Scope = Type.String({ enum: [...scopes], examples: ['users:read'] });

/** Rejections that a retry can overcome. The Retry-After header is set from the same number. */
const Retry = Type.Object({
  retryAfterSeconds: Type.Integer({ description: 'Wait this long before the next attempt.', examples: [2] }),
});

export const TakenBy = Type.Object(
  {
    field: Type.Unsafe<'employeeID' | 'username'>({ type: 'string', enum: ['employeeID', 'username'] }),
    value: Type.String(),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The item of this call that took the value; null if the user had it before the call.',
    }),
    serial: Type.Union([Serial, Type.Null()], {
      description: 'Null without users:read, and if the user exists only in a preview.',
    }),
    isActive: Type.Optional(
      Type.Boolean({
        description:
          'false if the user is inactive, so that a create with rehire=true reactivates them. Absent otherwise, and without users:read.',
      }),
    ),
  },
  {
    title: 'TakenBy',
    description: 'The user who has the requested value.',
    examples: [
      {
        field: 'employeeID',
        value: 'E1001',
        position: null,
        serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
      },
    ],
  },
);
export type TakenBy = Readonly<Static<typeof TakenBy>>;

const orNullTime = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description });

export const Quarantined = Type.Object(
  {
    field: Type.Unsafe<'employeeID' | 'username'>({ type: 'string', enum: ['employeeID', 'username'] }),
    value: Type.String(),
    quarantinedUntil: Type.String({
      format: 'date-time',
      description: 'From then on, anyone can take the value.',
    }),
    releasedAt: orNullTime('When its last holder gave it up. Null without users:read.'),
    serial: Type.Union([Serial, Type.Null()], {
      description: 'The last holder, who can take it back at any time. Null without users:read.',
    }),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The item of this call that releases the value; null if it was released before the call.',
    }),
  },
  {
    title: 'Quarantined',
    description: 'The requested value was released recently and is kept for its last holder.',
    examples: [
      {
        field: 'employeeID',
        value: 'E1001',
        quarantinedUntil: '2026-04-02T09:15:00.000Z',
        releasedAt: '2026-03-03T09:15:00.000Z',
        serial: '0198c0de-7a11-7000-8000-5f1e2d3c4b5a',
        position: null,
      },
    ],
  },
);
export type Quarantined = Readonly<Static<typeof Quarantined>>;

const TakenAttribute = Type.Object(
  {
    attribute: Type.String({ description: 'The key of the attribute.', examples: ['badge'] }),
    position: Type.Union([Type.Integer(), Type.Null()], {
      description: 'The item of this call that took the value; null if the user had it before the call.',
      examples: [null],
    }),
    serial: Type.Union([Serial, Type.Null()], {
      description:
        'Null without users:read, if the attribute is sensitive, and if the user exists only in a preview.',
      examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5a'],
    }),
  },
  {
    title: 'TakenAttribute',
    description: 'The user who has the requested value of a unique attribute.',
  },
);
export type TakenAttribute = Readonly<Static<typeof TakenAttribute>>;

/** One of the two. */
const Taken = Type.Object({
  takenBy: Type.Optional(TakenBy),
  quarantined: Type.Optional(Quarantined),
});

const RenamedBy = Type.Object(
  {
    position: Type.Integer({ description: 'The item of this call that renamed the user.' }),
    newEmployeeID: Type.String(),
  },
  { title: 'RenamedBy', description: 'An earlier item of the same call that changed this employee ID.' },
);

const ChangedId = Type.Object(
  {
    serial: Serial,
    newEmployeeID: Type.Union([Type.String(), Type.Null()], {
      description: 'What it was changed to; null if the user was removed.',
    }),
    at: Type.String({ format: 'date-time', examples: ['2026-03-03T09:15:00.000Z'] }),
  },
  {
    title: 'ChangedId',
    description: 'The user who had this employee ID last, and what became of it. Only with users:read.',
  },
);

/**
 * Every error the service returns, with the data it carries. Codes are stable: a published code never changes its
 * meaning. Ranges: 100xx requests, 101xx users, 102xx access and credentials, 103xx calls and events, 104xx
 * directories, attributes and feeds, 105xx identity providers, 109xx the service.
 * `docs/errors.md`, the schemas in `openapi.json` and the client's types are generated from this file.
 */
export const errorCatalogue = {
  REQUEST_MALFORMED: {
    code: 10001,
    status: 400,
    meaning: 'The HTTP request is malformed. Check the request line, the headers and the URL.',
  },
  REQUEST_BODY_NOT_JSON: {
    code: 10002,
    status: 400,
    meaning: 'The body is missing, cannot be decompressed, is not valid UTF-8, or is not valid JSON.',
  },
  REQUEST_BODY_TOO_DEEP: {
    code: 10003,
    status: 400,
    meaning: 'The JSON body is nested too deeply.',
    data: Type.Object({ limit: limit('The maximum number of levels.', 32) }),
  },
  REQUEST_BODY_INVALID: {
    code: 10004,
    status: 400,
    meaning: 'The body is valid JSON, but does not match the schema of this operation.',
    data: Type.Object({
      field: Type.Optional(field),
      position: Type.Optional(
        Type.Integer({ description: 'The index of the invalid element of the field, if it is a list.' }),
      ),
    }),
  },
  REQUEST_PARAMETER_INVALID: {
    code: 10005,
    status: 400,
    meaning: 'A query parameter is unknown, repeated, or has an invalid value.',
    data: Type.Object({
      parameter: Type.String({
        description: 'The name of the query parameter or header.',
        examples: ['limit'],
      }),
    }),
  },
  REQUEST_CURSOR_INVALID: {
    code: 10006,
    status: 400,
    meaning: 'The cursor is invalid, or belongs to a list with different filters or a different sort order.',
  },
  REQUEST_PATH_NOT_FOUND: { code: 10007, status: 404, meaning: 'The path does not exist.' },
  REQUEST_METHOD_NOT_ALLOWED: {
    code: 10008,
    status: 405,
    meaning: 'The path does not support this method. The Allow header lists the supported methods.',
    data: Type.Object({
      allowed: Type.Array(Type.String(), {
        description: 'The supported methods.',
        examples: [['GET', 'POST']],
      }),
    }),
  },
  REQUEST_NOT_ACCEPTABLE: { code: 10009, status: 406, meaning: 'The Accept header excludes JSON.' },
  REQUEST_TIMEOUT: { code: 10010, status: 408, meaning: 'The complete request did not arrive in time.' },
  REQUEST_PRECONDITION_FAILED: {
    code: 10011,
    status: 412,
    meaning: 'The user has changed since you read the version in If-Match.',
  },
  REQUEST_BODY_TOO_LARGE: {
    code: 10012,
    status: 413,
    meaning: 'The body is too large for this operation.',
    data: Type.Object({ limit: limit('The maximum size in bytes.', 65_536) }),
  },
  REQUEST_TOO_MANY_ITEMS: {
    code: 10013,
    status: 413,
    meaning: 'The call has too many items. Split it into several calls.',
    data: Type.Object({
      limit: limit('The maximum number of items per call.', 10_000),
      count: limit('The number of items sent.', 12_000),
    }),
  },
  REQUEST_MEDIA_TYPE_UNSUPPORTED: {
    code: 10014,
    status: 415,
    meaning: 'The Content-Type is missing, or this operation does not support it or the Content-Encoding.',
  },
  REQUEST_RATE_LIMITED: {
    code: 10015,
    status: 429,
    meaning:
      'The caller or its address has sent too many requests within a minute. Wait for the time in Retry-After.',
    data: Type.Object({
      limit: limit('The maximum number of requests per minute.', 600),
      ...Retry.properties,
    }),
  },
  REQUEST_HEADERS_TOO_LARGE: { code: 10016, status: 431, meaning: 'The request headers are too large.' },

  USER_EMPLOYEE_ID_EXISTS: {
    code: 10101,
    status: 409,
    meaning: 'The employee ID is already taken, or was released recently and is quarantined.',
    data: Taken,
  },
  USER_NOT_FOUND: {
    code: 10102,
    status: 404,
    meaning: 'No user has this employee ID or serial.',
    data: Type.Object({
      employeeID: Type.Optional(
        Type.String({
          description: 'The employee ID that no user has. Absent if the request named a serial.',
        }),
      ),
      renamedBy: Type.Optional(RenamedBy),
      changed: Type.Optional(ChangedId),
      asOf: Type.Optional(
        Type.String({
          format: 'date-time',
          description: 'The time at which no user had the employee ID, with as-of addressing.',
        }),
      ),
    }),
  },
  USER_USERNAME_EXISTS: {
    code: 10103,
    status: 409,
    meaning:
      'The username is already taken, or was released recently and is quarantined. Usernames are not case-sensitive.',
    data: Taken,
  },
  USER_CONTACT_REQUIRED: {
    code: 10104,
    status: 400,
    meaning: 'A user needs an email address or a phone number.',
  },
  USER_NOT_AN_OBJECT: { code: 10105, status: 400, meaning: 'A user or item must be a JSON object.' },
  USER_FIELD_REQUIRED: {
    code: 10106,
    status: 400,
    meaning: 'A required field is missing, null or empty.',
    data: InvalidField,
  },
  USER_FIELD_INVALID: {
    code: 10107,
    status: 400,
    meaning: 'A field has the wrong type or an invalid value.',
    data: InvalidField,
  },
  USER_FIELD_NOT_ACCEPTED: {
    code: 10108,
    status: 400,
    meaning: 'A field is unknown, is not accepted by this operation, or appears twice.',
    data: InvalidField,
  },
  USER_ATTRIBUTE_EXISTS: {
    code: 10113,
    status: 409,
    meaning: 'Another user has this value of a unique attribute.',
    data: TakenAttribute,
  },
  USER_MANAGER_NOT_FOUND: {
    code: 10114,
    status: 404,
    meaning: 'Nobody has the employee ID of the manager, and no later item of the call gives it to anyone.',
    data: Type.Object({
      managerEmployeeID: Type.String({ description: 'The employee ID that was sent.', examples: ['E2001'] }),
    }),
  },
  USER_MANAGER_CYCLE: {
    code: 10115,
    status: 409,
    meaning: 'The user would be their own manager, directly or through others.',
    data: Type.Object({
      chain: Type.Array(Type.String(), {
        description:
          'Employee IDs, from the user to the manager and on, each reporting to the next. The last is the first again. Of many, those in between are left out.',
        examples: [['E1001', 'E2001', 'E1001']],
      }),
    }),
  },
  USER_LAST_ADMINISTRATOR: {
    code: 10109,
    status: 409,
    meaning: 'The user is the last active administrator with a username. Appoint another one first.',
  },
  USER_CHANGED_SINCE: {
    code: 10110,
    status: 409,
    meaning:
      'The undo skipped this user because the user has been changed, removed or put to use since the call.',
    data: Type.Object({
      fields: Type.Array(Type.String(), {
        description: 'The fields that changed. Empty if the user was removed or is in use.',
        examples: [['name']],
      }),
    }),
  },
  USER_PROTECTED: {
    code: 10111,
    status: 403,
    meaning:
      'The user has a role. Only access:admin can reactivate the user, or change the username or the address that receives passwords.',
    data: Type.Object({ fields, scope: Scope }),
  },
  USER_ERASED: {
    code: 10112,
    status: 410,
    meaning: 'The personal data of the user was erased, which cannot be undone.',
    data: Type.Object({
      erasedAt: Type.String({ format: 'date-time', examples: ['2026-03-03T09:15:00.000Z'] }),
    }),
  },

  ACCESS_TOKEN_REQUIRED: {
    code: 10201,
    status: 401,
    meaning: 'The Authorization header is missing or contains no token.',
  },
  ACCESS_TOKEN_INVALID: {
    code: 10202,
    status: 401,
    meaning: 'The token is malformed, expired, revoked, or was issued for another service.',
  },
  ACCESS_SCOPE_MISSING: {
    code: 10203,
    status: 403,
    meaning: 'The token is valid, but does not have the scope that this operation requires.',
    data: Type.Object({ scope: Scope }),
  },
  ACCESS_CLIENT_INVALID: {
    code: 10204,
    status: 401,
    meaning: 'The client ID or secret is wrong, or the client is disabled (OAuth: invalid_client).',
  },
  ACCESS_GRANT_UNSUPPORTED: {
    code: 10205,
    status: 400,
    meaning: 'The token endpoint does not support this grant_type (OAuth: unsupported_grant_type).',
  },
  ACCESS_SCOPE_INVALID: {
    code: 10206,
    status: 400,
    meaning: 'The client does not have one of the requested scopes (OAuth: invalid_scope).',
    data: Type.Object({ allowed: Type.Array(Scope, { examples: [['users:read']] }) }),
  },
  ACCESS_TOKEN_REQUEST_INVALID: {
    code: 10207,
    status: 400,
    meaning: 'The token request is not a valid OAuth 2.0 request (OAuth: invalid_request).',
  },
  ACCESS_SIGN_IN_FAILED: {
    code: 10208,
    status: 401,
    meaning: 'The username, employee ID or password is wrong, or the user is not allowed to sign in.',
  },
  ACCESS_SIGN_IN_DELAYED: {
    code: 10209,
    status: 429,
    meaning:
      'There were too many failed attempts for this name or from this address. Wait for the time in Retry-After.',
    data: Retry,
  },
  ACCESS_PASSWORD_EXPIRED: {
    code: 10210,
    status: 401,
    meaning: 'The password is correct, but it is an initial password that has expired.',
  },
  ACCESS_PASSWORD_CHANGE_REQUIRED: {
    code: 10211,
    status: 403,
    meaning: 'The user signed in with an initial password and must change it first.',
  },
  ACCESS_PASSWORD_REFUSED: {
    code: 10212,
    status: 400,
    meaning: 'The new password does not meet the password requirements.',
    data: RefusedPassword,
  },
  ACCESS_PASSWORD_WRONG: {
    code: 10213,
    status: 403,
    meaning: 'The current password is wrong.',
  },
  ACCESS_USER_REQUIRED: {
    code: 10214,
    status: 403,
    meaning:
      'Only users who signed in can use this operation. The token belongs to a client or an external issuer.',
  },
  ACCESS_CLIENT_NOT_FOUND: { code: 10215, status: 404, meaning: 'No client has this ID.' },
  ACCESS_DELIVERY_NOT_FOUND: { code: 10216, status: 404, meaning: 'No delivery has this ID.' },
  ACCESS_DELIVERY_SUPERSEDED: {
    code: 10217,
    status: 409,
    meaning:
      'The delivery cannot be resent: a later delivery replaced it, or the user has since chosen a password.',
  },
  ACCESS_CLIENT_TOKEN_NOT_FOUND: {
    code: 10218,
    status: 404,
    meaning: 'The client has no long-lived token with this ID.',
  },
  ACCESS_CLIENT_TOKEN_TOO_MANY: {
    code: 10219,
    status: 409,
    meaning: 'The client has the maximum number of long-lived tokens. Revoke one that is no longer used.',
    data: Type.Object({ limit: limit('The maximum number.', 20) }),
  },
  ACCESS_CLIENT_NOT_A_PROVIDER: {
    code: 10220,
    status: 409,
    meaning:
      'The client lacks the scope scim, which identity providers and their long-lived tokens need. Add it to the client first.',
    data: Type.Object({ scope: Scope }),
  },
  ACCESS_TOKEN_OF_ANOTHER_CLIENT: {
    code: 10230,
    status: 400,
    meaning: 'The token to revoke was issued to another client (OAuth: unauthorized_client).',
  },
  ACCESS_TOKEN_TYPE_UNSUPPORTED: {
    code: 10231,
    status: 400,
    meaning:
      'The token to revoke is the session of a user. Sign out to end it (OAuth: unsupported_token_type).',
  },
  ACCESS_SESSION_NOT_FOUND: { code: 10232, status: 404, meaning: 'No session has this ID, or it has ended.' },
  ACCESS_PROOF_REQUIRED: {
    code: 10233,
    status: 401,
    meaning:
      'The user has to prove again who they are, because this operation is sensitive and the last proof is old (RFC 9470).',
    data: Type.Object({ maxAgeSeconds: Type.Integer({ description: 'How old the last proof may be.' }) }),
  },
  ACCESS_ORIGIN_REFUSED: {
    code: 10234,
    status: 403,
    meaning:
      'The request carries the cookie of a session, but comes from a page of another origin, or from a program. Programs send a token.',
  },

  ACCESS_FACTOR_REQUIRED: {
    code: 10235,
    status: 403,
    meaning:
      'The password alone is not enough. The user has to give a second factor first, or to add one if they have none.',
    data: Type.Object({
      secondFactor: Type.Unsafe<SecondFactor>({
        type: 'string',
        enum: [...secondFactorStates],
        description: 'required: give a factor. enrol: add the first one.',
        examples: ['required'],
      }),
    }),
  },
  ACCESS_FACTOR_CODE_WRONG: {
    code: 10236,
    status: 403,
    meaning:
      'The code of the authenticator app is wrong or was used before, or it is no recovery code of this user.',
  },
  ACCESS_PASSKEY_REFUSED: {
    code: 10237,
    status: 403,
    meaning:
      'The passkey was not accepted: it is not registered, belongs to another site or user, signed another or an old challenge, or may be a copy.',
  },
  ACCESS_PASSKEYS_UNAVAILABLE: {
    code: 10238,
    status: 409,
    meaning:
      'Passkeys work only at the address that ROLLCALL_PUBLIC_URL names, or at localhost if it is not set.',
  },
  ACCESS_PASSKEY_EXISTS: { code: 10239, status: 409, meaning: 'The passkey is registered already.' },
  ACCESS_FACTOR_NOT_FOUND: {
    code: 10240,
    status: 404,
    meaning: 'The user has no second factor with this ID, or none at all.',
  },
  ACCESS_FACTOR_TOO_MANY: {
    code: 10241,
    status: 409,
    meaning: 'The user has the maximum number of second factors. Remove one that is no longer used.',
    data: Type.Object({ limit: limit('The maximum number.', 10) }),
  },
  ACCESS_FACTOR_LAST: {
    code: 10242,
    status: 409,
    meaning: 'The company requires a second factor. Add another one before you remove the last one.',
  },

  ACCESS_SSO_NOT_CONFIGURED: {
    code: 10245,
    status: 404,
    meaning: 'The service has no identity provider to sign in with.',
  },
  ACCESS_SSO_UNAVAILABLE: {
    code: 10246,
    status: 503,
    meaning: "The company's identity provider does not answer, or reports an outage.",
    data: Retry,
  },
  ACCESS_SSO_FAILED: {
    code: 10247,
    status: 400,
    meaning:
      'The sign-in at the identity provider took longer than ten minutes, was finished already or began in another browser, or the answer of the provider is not valid.',
  },
  ACCESS_SSO_CANCELLED: {
    code: 10248,
    status: 403,
    meaning: 'The identity provider did not sign the user in, or the user cancelled.',
  },
  ACCESS_SSO_USER_UNKNOWN: {
    code: 10249,
    status: 403,
    meaning: 'The identity provider has signed somebody in who matches no user here, or several.',
  },
  ACCESS_SSO_USER_INACTIVE: {
    code: 10250,
    status: 403,
    meaning: 'The identity provider has signed in a user who is deactivated here.',
  },
  ACCESS_SSO_USER_DIFFERENT: {
    code: 10251,
    status: 403,
    meaning: 'Another user than that of the session proved who they are at the identity provider.',
  },
  ACCESS_LOCAL_SIGN_IN_OFF: {
    code: 10252,
    status: 403,
    meaning: 'The company does not let this user sign in with a password, but at its identity provider.',
  },
  ACCESS_PASSWORD_LINK_INVALID: {
    code: 10253,
    status: 403,
    meaning: 'The link to choose a new password has expired, was used, or was replaced by a newer one.',
  },
  ACCESS_LOGOUT_TOKEN_INVALID: {
    code: 10254,
    status: 400,
    meaning: 'The logout token of the identity provider is not valid, or was used already.',
  },

  APPLICATION_NOT_FOUND: { code: 10255, status: 404, meaning: 'No application has this ID.' },
  APPLICATION_NAME_EXISTS: {
    code: 10256,
    status: 409,
    meaning: 'Another application has this name.',
  },
  APPLICATION_WITHOUT_SECRET: {
    code: 10257,
    status: 409,
    meaning: 'A public application has no secret.',
  },
  APPLICATION_SIGN_IN_NOT_FOUND: {
    code: 10258,
    status: 404,
    meaning:
      'This sign-in to an application has expired, or it ended already. Go back to the application and sign in again.',
  },
  ACCESS_FIELD_NOT_EDITABLE: {
    code: 10265,
    status: 403,
    meaning: 'The company does not let users change this field of their own account.',
    data: Type.Object({ field }),
  },
  ACCESS_CODE_WRONG: {
    code: 10266,
    status: 403,
    meaning:
      'The code that confirms a new email or phone is wrong, has expired or was replaced, or was entered wrongly too often.',
    data: Type.Object({
      attemptsLeft: Type.Integer({
        description: 'How often it can still be entered; 0 if it has ended.',
        examples: [4],
      }),
    }),
  },
  ACCESS_CODES_EXHAUSTED: {
    code: 10267,
    status: 429,
    meaning: 'The user has requested too many codes in a day.',
    data: Retry,
  },

  VIEW_NOT_FOUND: {
    code: 10270,
    status: 404,
    meaning: 'The user has no saved view with this ID, and nobody has shared one.',
  },
  VIEW_OF_SOMEBODY_ELSE: {
    code: 10271,
    status: 403,
    meaning: 'Only the author of a shared view and administrators can change or delete it.',
  },
  VIEW_NAME_TAKEN: {
    code: 10272,
    status: 409,
    meaning: 'Another view of the user, or another shared one, has this name.',
    data: Type.Object({ id: Type.String({ description: 'The ID of that view.' }) }),
  },
  VIEW_TOO_MANY: {
    code: 10273,
    status: 409,
    meaning: 'The user has the maximum number of views, or as many are shared. Delete one that is not used.',
    data: Type.Object({ limit: limit('The maximum number.', 100) }),
  },

  CALL_NOT_FOUND: {
    code: 10301,
    status: 404,
    meaning: 'No bulk call has this ID. Previews change nothing and are not recorded.',
  },
  CALL_RUNNING: {
    code: 10302,
    status: 409,
    meaning: 'The bulk call is still running. Wait until it has finished.',
  },
  CALL_TOO_OLD: {
    code: 10303,
    status: 410,
    meaning:
      'The bulk call can no longer be undone: some of its changes have been deleted from the change log.',
    data: Type.Object({
      changes: Type.Integer({ description: 'The number of changes the call made.', examples: [40] }),
      kept: Type.Integer({
        description: 'The number of them that are still in the change log.',
        examples: [12],
      }),
    }),
  },
  CALL_EXCEEDS_SAFETY_LIMIT: {
    code: 10304,
    status: 409,
    meaning:
      'The bulk call would affect more users than the safety limit allows. Nothing was changed. To proceed, confirm their number.',
    data: Type.Object({
      confirm: Type.Integer({
        description: 'The number of users affected. To proceed, send it as `confirm`.',
        examples: [12],
      }),
      removed: Type.Integer({
        description: 'Users whom an undo would remove, or whom the call would erase.',
        examples: [0],
      }),
      deactivated: Type.Integer({ examples: [10] }),
      renamed: Type.Integer({ examples: [2] }),
      cleared: Type.Integer({
        description: 'Users who would lose their username, email or phone.',
        examples: [0],
      }),
      total: Type.Integer({ description: 'The number of all users.', examples: [40] }),
      limitPercent: Type.Integer({
        description: 'The share of all users that one call may affect.',
        examples: [20],
      }),
    }),
  },
  CALL_UNDONE: {
    code: 10305,
    status: 409,
    meaning: 'The bulk call was undone before it had finished. To run it again, use a new Idempotency-Key.',
  },
  CALL_CONFIRMATION_REQUIRED: {
    code: 10306,
    status: 409,
    meaning:
      'The number of users that a filter matches, or that are to be erased, was not confirmed, or has changed. Nothing was changed. To proceed, confirm it.',
    data: Type.Object({
      confirm: Type.Integer({
        description: 'The number of users affected. To proceed, send it as `confirm`.',
        examples: [42],
      }),
    }),
  },
  CALL_MATCHES_TOO_MANY: {
    code: 10307,
    status: 413,
    meaning: 'The filter matches more users than one call can update. Narrow it down.',
    data: Type.Object({ limit: limit('The maximum number of users per call.', 50_000) }),
  },
  CALL_ITEM_OUTDATED: {
    code: 10308,
    status: 409,
    meaning: 'The item of a planned call was skipped: it would no longer have done what the preview showed.',
  },
  CALL_STATE_CONFLICT: {
    code: 10309,
    status: 409,
    meaning: 'The state of the call does not allow this, for example because it has already been approved.',
    data: Type.Object({
      state: Type.String({
        enum: [...callStates],
        description: 'The state of the call.',
        examples: ['done'],
      }),
    }),
  },
  CALL_APPROVAL_BY_AUTHOR: {
    code: 10310,
    status: 403,
    meaning: 'A call has to be approved by someone other than its author.',
  },
  CALL_TOO_MANY_PLANNED: {
    code: 10314,
    status: 409,
    meaning: 'The caller has planned too many calls. Cancel some of them, or wait until they have run.',
    data: Type.Object({ limit: limit('The maximum number of planned calls of one client or user.', 1_000) }),
  },
  CALL_NOT_UNDOABLE: {
    code: 10315,
    status: 409,
    meaning: 'The call erased users, which cannot be undone.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    code: 10311,
    status: 400,
    meaning: 'The Idempotency-Key is empty, too long, or contains characters other than printable ASCII.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    code: 10312,
    status: 422,
    meaning: 'The Idempotency-Key has already been used with a different request.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    code: 10313,
    status: 409,
    meaning: 'A request with this Idempotency-Key is still running. Retry after the time in Retry-After.',
    data: Retry,
  },
  WEBHOOK_NOT_FOUND: { code: 10321, status: 404, meaning: 'No webhook has this ID.' },
  WEBHOOK_URL_REFUSED: {
    code: 10322,
    status: 400,
    meaning: 'Webhooks cannot be sent to this URL.',
  },
  SCIM_TARGET_NOT_FOUND: { code: 10323, status: 404, meaning: 'No SCIM target has this ID.' },
  SCIM_TARGET_URL_REFUSED: {
    code: 10324,
    status: 400,
    meaning: 'Users cannot be pushed to this URL.',
  },
  EVENTS_PRUNED: {
    code: 10331,
    status: 410,
    meaning: 'The requested events are no longer available.',
    data: Type.Object({
      prunedTo: Type.Integer({
        description: 'Events up to this ID have been deleted. To resume, send it as Last-Event-ID.',
        examples: [41_207],
      }),
    }),
  },
  EVENTS_BUSY: {
    code: 10332,
    status: 503,
    meaning:
      'This node has reached its limit of open event streams, or you have reached yours. Close one, or connect to another node.',
    data: Type.Object({
      limit: limit('The maximum number of open event streams, per node or per caller.', 1_000),
      ...Retry.properties,
    }),
  },
  BACKUP_BUSY: {
    code: 10341,
    status: 503,
    meaning: 'This node is making a backup already. Retry when it is done.',
    data: Retry,
  },

  DIRECTORY_ENTRY_NOT_FOUND: {
    code: 10401,
    status: 404,
    meaning: 'No organization or tag in the directory has this serial.',
  },
  DIRECTORY_ENTRY_EXISTS: {
    code: 10402,
    status: 409,
    meaning: 'The new serial is already in the directory. Merge the two instead.',
  },
  DIRECTORY_ENTRY_IN_USE: {
    code: 10403,
    status: 409,
    meaning: 'The organization or tag cannot be removed: users have it, or organizations are part of it.',
  },

  ATTRIBUTE_NOT_FOUND: { code: 10411, status: 404, meaning: 'No attribute has this key.' },
  ATTRIBUTE_KEY_EXISTS: {
    code: 10412,
    status: 409,
    meaning: 'Another attribute has this key. Keys are not case-sensitive in this respect.',
    data: Type.Object({
      key: Type.String({ description: 'The key that exists.', examples: ['department'] }),
    }),
  },
  ATTRIBUTE_IN_USE: {
    code: 10413,
    status: 409,
    meaning:
      'Users have a value of the attribute. To delete it anyway, confirm their number; to keep the values, retire it.',
    data: Type.Object({ count: limit('How many users have a value.', 42) }),
  },
  ATTRIBUTE_NOT_UNIQUE: {
    code: 10415,
    status: 409,
    meaning: 'The attribute cannot become unique, because several users have the same value.',
    data: Type.Object({ values: limit('How many values several users have.', 3) }),
  },
  ATTRIBUTE_TOO_MANY: {
    code: 10414,
    status: 409,
    meaning: 'The maximum number of attributes is defined.',
    data: Type.Object({ limit: limit('The maximum number.', 200) }),
  },

  FEED_NOT_FOUND: { code: 10431, status: 404, meaning: 'No feed has this key.' },
  FEED_KEY_EXISTS: { code: 10432, status: 409, meaning: 'Another feed has this key.' },
  FEED_TOO_MANY: {
    code: 10433,
    status: 409,
    meaning: 'The maximum number of feeds exists.',
    data: Type.Object({ limit: limit('The maximum number.', 100) }),
  },
  FEED_RUN_NOT_FOUND: { code: 10434, status: 404, meaning: 'The feed has no run with this ID.' },
  FEED_RUN_STATE_CONFLICT: {
    code: 10435,
    status: 409,
    meaning: 'The state of the run does not allow this, for example because it has ended.',
    data: Type.Object({
      state: Type.String({
        enum: [...feedRunStates],
        description: 'The state of the run.',
        examples: ['done'],
      }),
    }),
  },
  FEED_APPROVAL_BY_AUTHOR: {
    code: 10436,
    status: 403,
    meaning:
      'If all runs of a feed need approval, someone other than who uploaded the file has to approve it.',
  },
  FEED_FILE_GONE: {
    code: 10437,
    status: 409,
    meaning: 'The file of the run is no longer stored.',
  },
  FEED_BUSY: {
    code: 10438,
    status: 409,
    meaning: 'A run of the feed has not ended yet.',
    data: Type.Object({
      runId: Type.String({ description: 'The run.', examples: ['0198c0de-7a11-7000-8000-5f1e2d3c4b5a'] }),
    }),
  },

  SCIM_REQUEST_INVALID: {
    code: 10501,
    status: 400,
    meaning: 'A SCIM request does not make sense. `scimType` says why, as defined by RFC 7644.',
    data: Type.Object({
      scimType: Type.String({
        enum: [...scimErrorTypes],
        description: 'The type of the error.',
        examples: ['invalidValue'],
      }),
    }),
  },
  SCIM_RESOURCE_NOT_FOUND: {
    code: 10502,
    status: 404,
    meaning: 'No SCIM resource has this ID, the provider deleted it, or may not see it.',
  },
  SCIM_FILTER_FORBIDDEN: {
    code: 10503,
    status: 403,
    meaning: 'The schemas and resource types of SCIM cannot be filtered.',
  },
  SCIM_REFERENCE_UNRESOLVED: {
    code: 10505,
    status: 409,
    meaning:
      'An operation of a SCIM bulk request refers to another one that failed, or both refer to each other.',
  },
  SCIM_OPERATION_SKIPPED: {
    code: 10506,
    status: 409,
    meaning:
      'An operation of a SCIM bulk request was not processed, because `failOnErrors` others had failed.',
  },
  SCIM_DEACTIVATION_LIMIT: {
    code: 10504,
    status: 403,
    meaning:
      'The identity provider would deactivate more users within 24 hours than its limit allows. Nothing was changed. An administrator can allow more for some hours.',
    data: Type.Object({
      requested: limit('The number of users that the request would deactivate.', 1),
      deactivated: limit('The number of users whom the provider has deactivated within 24 hours.', 50),
      limit: limit('The number that it may deactivate within 24 hours.', 50),
      activeUsers: limit('The number of all active users.', 1_000),
    }),
  },

  SERVICE_UNAVAILABLE: {
    code: 10901,
    status: 503,
    meaning:
      'The service is starting, stopping, overloaded, building its index, or cannot reach its database. Nothing was changed. Retry the request.',
    data: Retry,
  },
  SERVICE_OUTCOME_UNKNOWN: {
    code: 10902,
    status: 503,
    meaning:
      'The connection was lost during the commit. Read the user before you retry: the change may have been applied.',
    data: Retry,
  },
  SERVICE_INTERNAL_ERROR: {
    code: 10999,
    status: 500,
    meaning: 'The service failed unexpectedly. The log has the cause under the request ID.',
  },
} as const satisfies Record<string, { code: number; status: number; meaning: string; data?: TObject }>;

type Catalogue = typeof errorCatalogue;
export type ErrorName = keyof Catalogue;

export const errorNames = Object.keys(errorCatalogue) as ErrorName[];

/** What an item of a bulk call can fail with. */
export const itemErrorNames = [
  'USER_EMPLOYEE_ID_EXISTS',
  'USER_NOT_FOUND',
  'USER_USERNAME_EXISTS',
  'USER_ATTRIBUTE_EXISTS',
  'USER_MANAGER_NOT_FOUND',
  'USER_MANAGER_CYCLE',
  'USER_CONTACT_REQUIRED',
  'USER_NOT_AN_OBJECT',
  'USER_FIELD_REQUIRED',
  'USER_FIELD_INVALID',
  'USER_FIELD_NOT_ACCEPTED',
  'USER_LAST_ADMINISTRATOR',
  'USER_CHANGED_SINCE',
  'USER_PROTECTED',
  'CALL_ITEM_OUTDATED',
  'USER_ERASED',
  'REQUEST_BODY_TOO_LARGE',
  'REQUEST_PRECONDITION_FAILED',
  'SCIM_REQUEST_INVALID',
  'SCIM_RESOURCE_NOT_FOUND',
  'SCIM_REFERENCE_UNRESOLVED',
  'SCIM_OPERATION_SKIPPED',
  'SCIM_DEACTIVATION_LIMIT',
  'SERVICE_UNAVAILABLE',
  'SERVICE_OUTCOME_UNKNOWN',
  'SERVICE_INTERNAL_ERROR',
] as const satisfies readonly ErrorName[];

/** The data that the catalogue declares for an error. */
export type ErrorData<Name extends ErrorName> = Name extends ErrorName
  ? Catalogue[Name] extends { data: infer Shape extends TObject }
    ? Readonly<Static<Shape>>
    : never
  : never;

/** An expected failure: an error from the catalogue, the explanation for people, and the data for programs. */
export type Failure<Name extends ErrorName = ErrorName> = {
  [Each in Name]: {
    readonly error: Each;
    readonly detail: string;
    /** Of an item: the detail without its position. */
    readonly reason?: string;
    readonly data?: ErrorData<Each>;
  };
}[Name];

/** Data is required if the catalogue declares any, and optional if all of its properties are. */
export type DataArgument<Name extends ErrorName> = [ErrorData<Name>] extends [never]
  ? []
  : Record<never, never> extends ErrorData<Name>
    ? [data?: ErrorData<Name>]
    : [data: ErrorData<Name>];

export function failure<Name extends ErrorName>(
  error: Name,
  detail: string,
  ...[data]: DataArgument<Name>
): Failure<Name> {
  // TypeScript cannot relate the conditional type of the argument to the mapped type of the result.
  return (data === undefined ? { error, detail } : { error, detail, data }) as unknown as Failure<Name>;
}

/** Who has the value that was requested, if that is why it failed. */
export function takenByOf({ data }: Failure): TakenBy | undefined {
  return data && 'takenBy' in data ? data.takenBy : undefined;
}

/** Who has the value of a unique attribute, if that is why it failed. */
export function takenAttributeOf({ error, data }: Failure): TakenAttribute | undefined {
  return error === 'USER_ATTRIBUTE_EXISTS' ? (data as TakenAttribute) : undefined;
}

/** Until when the requested value is kept for its last holder, if that is why it failed. */
export function quarantinedOf({ data }: Failure): Quarantined | undefined {
  return data && 'quarantined' in data ? data.quarantined : undefined;
}

/** The pause after which a caller may retry what the service could not do. */
export const retry: ErrorData<'SERVICE_UNAVAILABLE'> = { retryAfterSeconds: 2 };

/** The contract's flat error body. Its data is left out where the contract has no place for it. */
export interface ErrorBody {
  errorCode: number;
  message: string;
  detail: string;
  data?: unknown;
}

export function errorBody({ error, detail, data }: Failure, withData: boolean): ErrorBody {
  const body = { errorCode: errorCatalogue[error].code, message: error, detail };
  return withData && data !== undefined ? { ...body, data } : body;
}
