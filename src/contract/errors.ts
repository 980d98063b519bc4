/**
 * Every failure the service can answer with. Numbers are stable: a code that was published is never given
 * another meaning. Ranges: 100xx the request, 101xx the user, 102xx access and credentials, 103xx calls and events,
 * 109xx the service.
 * `docs/errors.md` is generated from this file.
 */
export const errorCatalogue = {
  REQUEST_MALFORMED: {
    code: 10001,
    status: 400,
    meaning: 'The HTTP request itself cannot be read: a broken request line, header or URL.',
  },
  REQUEST_BODY_NOT_JSON: {
    code: 10002,
    status: 400,
    meaning: 'The body is missing, is not valid UTF-8, or is not valid JSON.',
  },
  REQUEST_BODY_TOO_DEEP: {
    code: 10003,
    status: 400,
    meaning: 'The JSON body is nested deeper than any valid body can be.',
  },
  REQUEST_BODY_INVALID: {
    code: 10004,
    status: 400,
    meaning: 'The body is JSON but not of the shape this operation takes.',
  },
  REQUEST_PARAMETER_INVALID: {
    code: 10005,
    status: 400,
    meaning: 'A query parameter is unknown, repeated, or has a value that is not allowed.',
  },
  REQUEST_CURSOR_INVALID: {
    code: 10006,
    status: 400,
    meaning:
      'The cursor was not issued by this service, or belongs to a list with other filters or another sort.',
  },
  REQUEST_PATH_NOT_FOUND: { code: 10007, status: 404, meaning: 'The service has nothing at this path.' },
  REQUEST_METHOD_NOT_ALLOWED: {
    code: 10008,
    status: 405,
    meaning: 'The path exists, but not with this method. The Allow header lists the methods it has.',
  },
  REQUEST_NOT_ACCEPTABLE: { code: 10009, status: 406, meaning: 'The Accept header rules out JSON.' },
  REQUEST_TIMEOUT: { code: 10010, status: 408, meaning: 'The request did not arrive completely in time.' },
  REQUEST_PRECONDITION_FAILED: {
    code: 10011,
    status: 412,
    meaning: 'The user was changed since the version named in If-Match was read.',
  },
  REQUEST_BODY_TOO_LARGE: {
    code: 10012,
    status: 413,
    meaning: 'The body has more bytes than this operation takes.',
  },
  REQUEST_TOO_MANY_ITEMS: {
    code: 10013,
    status: 413,
    meaning: 'The bulk call has more items than one call may have.',
  },
  REQUEST_MEDIA_TYPE_UNSUPPORTED: {
    code: 10014,
    status: 415,
    meaning: 'The Content-Type is missing or is not one that this operation takes.',
  },
  REQUEST_RATE_LIMITED: {
    code: 10015,
    status: 429,
    meaning:
      'The caller or its address sent more requests than it may in a minute. Retry-After says when to go on.',
  },
  REQUEST_HEADERS_TOO_LARGE: { code: 10016, status: 431, meaning: 'The request headers are too large.' },

  USER_EMPLOYEE_ID_EXISTS: { code: 10101, status: 409, meaning: 'The employee ID is already taken.' },
  USER_NOT_FOUND: { code: 10102, status: 404, meaning: 'No user has this employee ID or serial.' },
  USER_USERNAME_EXISTS: {
    code: 10103,
    status: 409,
    meaning: 'The username is already taken. Usernames are compared without regard to case.',
  },
  USER_CONTACT_REQUIRED: {
    code: 10104,
    status: 400,
    meaning: 'A user needs an email or a phone; the request would leave neither.',
  },
  USER_NOT_AN_OBJECT: { code: 10105, status: 400, meaning: 'A user or an item must be a JSON object.' },
  USER_FIELD_REQUIRED: { code: 10106, status: 400, meaning: 'A required field is absent, null or empty.' },
  USER_FIELD_INVALID: { code: 10107, status: 400, meaning: 'A field has the wrong type or breaks its rule.' },
  USER_FIELD_NOT_ACCEPTED: {
    code: 10108,
    status: 400,
    meaning: 'A field is unknown, is not accepted by this operation, or is given twice.',
  },
  USER_LAST_ADMINISTRATOR: {
    code: 10109,
    status: 409,
    meaning:
      'The user is the last administrator who can sign in: active and with a username. Make somebody else an administrator first.',
  },
  USER_CHANGED_SINCE: {
    code: 10110,
    status: 409,
    meaning: 'An undo keeps the user as it is: somebody changed what it would put back.',
  },
  USER_PROTECTED: {
    code: 10111,
    status: 403,
    meaning:
      'The user has a role. Changing the username or the address passwords are sent to (the email, or the phone if there is no email), and reactivating the user, need the scope access:admin.',
  },

  ACCESS_TOKEN_REQUIRED: {
    code: 10201,
    status: 401,
    meaning: 'The Authorization header is missing or holds no token.',
  },
  ACCESS_TOKEN_INVALID: {
    code: 10202,
    status: 401,
    meaning: 'The token is malformed, was not issued for this service, has expired, or was revoked.',
  },
  ACCESS_SCOPE_MISSING: {
    code: 10203,
    status: 403,
    meaning: 'The token is valid but lacks the scope for this operation.',
  },
  ACCESS_CLIENT_INVALID: {
    code: 10204,
    status: 401,
    meaning: 'The client ID or secret is wrong, or the client is disabled (OAuth: invalid_client).',
  },
  ACCESS_GRANT_UNSUPPORTED: {
    code: 10205,
    status: 400,
    meaning: 'The token endpoint does not know this grant_type (OAuth: unsupported_grant_type).',
  },
  ACCESS_SCOPE_INVALID: {
    code: 10206,
    status: 400,
    meaning: 'A scope was asked for that the client does not have (OAuth: invalid_scope).',
  },
  ACCESS_TOKEN_REQUEST_INVALID: {
    code: 10207,
    status: 400,
    meaning: 'The token request is not a well-formed OAuth 2.0 request (OAuth: invalid_request).',
  },
  ACCESS_SIGN_IN_FAILED: {
    code: 10208,
    status: 401,
    meaning:
      'The username or the password is wrong, or the user may not sign in. Which of these is not told, on purpose.',
  },
  ACCESS_SIGN_IN_DELAYED: {
    code: 10209,
    status: 429,
    meaning:
      'Too many attempts failed for this name or from this address. Retry-After says when the next one is looked at.',
  },
  ACCESS_PASSWORD_EXPIRED: {
    code: 10210,
    status: 401,
    meaning: 'The password is right, but it was an initial one that was not used in time.',
  },
  ACCESS_PASSWORD_CHANGE_REQUIRED: {
    code: 10211,
    status: 403,
    meaning: 'The person signed in with an initial password and has to change it before anything else.',
  },
  ACCESS_PASSWORD_REFUSED: {
    code: 10212,
    status: 400,
    meaning: 'The new password breaks a rule for passwords that people choose.',
  },
  ACCESS_PASSWORD_WRONG: {
    code: 10213,
    status: 403,
    meaning: 'The current password, asked for before it is changed, is wrong.',
  },
  ACCESS_PERSON_REQUIRED: {
    code: 10214,
    status: 403,
    meaning: 'The operation is for people who signed in; the token belongs to a client or an outside issuer.',
  },
  ACCESS_CLIENT_NOT_FOUND: { code: 10215, status: 404, meaning: 'No client has this ID.' },
  ACCESS_DELIVERY_NOT_FOUND: { code: 10216, status: 404, meaning: 'No delivery has this ID.' },
  ACCESS_DELIVERY_SUPERSEDED: {
    code: 10217,
    status: 409,
    meaning:
      'The delivery cannot be sent again: a later one took its place, or the person has chosen a password since.',
  },
  ACCESS_TOKEN_OF_ANOTHER_CLIENT: {
    code: 10230,
    status: 400,
    meaning:
      'The token to revoke was issued to another client. Revoke it as that client, or disable the client (OAuth: unauthorized_client).',
  },
  ACCESS_TOKEN_TYPE_UNSUPPORTED: {
    code: 10231,
    status: 400,
    meaning:
      'The token to revoke is the session of a person, which ends by signing out (OAuth: unsupported_token_type).',
  },

  CALL_NOT_FOUND: {
    code: 10301,
    status: 404,
    meaning: 'No bulk call has this ID. A preview is no call: it changes nothing and is not kept.',
  },
  CALL_RUNNING: {
    code: 10302,
    status: 409,
    meaning: 'The bulk call is still running; wait until it has ended.',
  },
  CALL_TOO_OLD: {
    code: 10303,
    status: 410,
    meaning: 'The bulk call cannot be undone any more: its changes are no longer kept.',
  },
  CALL_BRAKED: {
    code: 10304,
    status: 409,
    meaning:
      'The bulk call would deactivate or rename a larger share of all users than one call may. Nothing was done; confirm the number if it is meant.',
  },
  CALL_UNDONE: {
    code: 10305,
    status: 409,
    meaning:
      'The bulk call was undone before it had ended. Send it anew, with another key, if it is still meant.',
  },
  IDEMPOTENCY_KEY_INVALID: {
    code: 10311,
    status: 400,
    meaning: 'The Idempotency-Key is empty, too long, or has characters that are not printable ASCII.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    code: 10312,
    status: 422,
    meaning: 'The Idempotency-Key was used before with another request.',
  },
  IDEMPOTENCY_KEY_IN_USE: {
    code: 10313,
    status: 409,
    meaning: 'A request with this Idempotency-Key is still running. Retry-After says when to ask again.',
  },
  WEBHOOK_NOT_FOUND: { code: 10321, status: 404, meaning: 'No webhook has this ID.' },
  WEBHOOK_URL_REFUSED: {
    code: 10322,
    status: 400,
    meaning: 'The URL is not one that webhooks may be sent to.',
  },
  EVENTS_PRUNED: {
    code: 10331,
    status: 410,
    meaning: 'The events asked for are no longer kept.',
  },
  EVENTS_BUSY: {
    code: 10332,
    status: 503,
    meaning: 'As many event streams are open as this node serves. Close one, or ask another node.',
  },

  SERVICE_UNAVAILABLE: {
    code: 10901,
    status: 503,
    meaning:
      'The service is starting, stopping, too busy, or cannot reach its database. Nothing was done; send it again.',
  },
  SERVICE_OUTCOME_UNKNOWN: {
    code: 10902,
    status: 503,
    meaning:
      'The database connection broke while the change was being committed: it may or may not have been applied. Read the user before sending it again.',
  },
  SERVICE_INTERNAL_ERROR: {
    code: 10999,
    status: 500,
    meaning: 'A fault of the service. The log holds its cause under the request ID.',
  },
} as const satisfies Record<string, { code: number; status: number; meaning: string }>;

export type ErrorName = keyof typeof errorCatalogue;

export const errorNames = Object.keys(errorCatalogue) as ErrorName[];

/** An expected failure: a name from the catalogue and what a person needs to mend it. */
export interface Failure {
  readonly error: ErrorName;
  readonly detail: string;
  /** Who has the name that was wanted. */
  readonly takenBy?: TakenBy;
}

export interface TakenBy {
  readonly field: 'employeeID' | 'username';
  readonly value: string;
  /** The item of the same call that took it; null if the user had it before. */
  readonly position: number | null;
  /** Null for a user whom a preview did not create. */
  readonly serial: string | null;
}

export function failure(error: ErrorName, detail: string): Failure {
  return { error, detail };
}

/** The contract's flat error body. */
export interface ErrorBody {
  errorCode: number;
  message: string;
  detail: string;
}

export function errorBody({ error, detail }: Failure): ErrorBody {
  return { errorCode: errorCatalogue[error].code, message: error, detail };
}
