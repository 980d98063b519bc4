import type { ErrorName } from '@rollcall/client';
import { formatList, formatNumber } from '../format.js';

const reload = "This page and the service didn't understand each other. Reload the page and try again.";
const signInAgain = 'Sign in again to continue.';
const notTheirs = 'Only users who have signed in can do this.';

/** What failed and what to do next, for every error of the service. */
export const errorsCopy = {
  unknown:
    'Something unexpected happened. Reload the page and try again. If it happens again, tell your administrator.',
  unexpectedReply:
    "The reply didn't come from Rollcall, but from something in between, such as a proxy. Try again in a moment.",
  codes: {
    REQUEST_MALFORMED: reload,
    REQUEST_BODY_NOT_JSON: reload,
    REQUEST_BODY_TOO_DEEP: reload,
    REQUEST_BODY_INVALID: 'Something you entered was not accepted. Check it and try again.',
    REQUEST_PARAMETER_INVALID: 'A filter or option is not valid. Clear the filters and try again.',
    REQUEST_CURSOR_INVALID: 'The list has changed. Reload the page.',
    REQUEST_PATH_NOT_FOUND: "The service doesn't know this page's request. Reload the page and try again.",
    REQUEST_METHOD_NOT_ALLOWED: reload,
    REQUEST_NOT_ACCEPTABLE: reload,
    REQUEST_TIMEOUT: 'Your connection was too slow. Try again.',
    REQUEST_PRECONDITION_FAILED:
      'Someone else has changed this user in the meantime. Reload the page and try again.',
    REQUEST_BODY_TOO_LARGE: 'This is too much for one request. Send less at once.',
    REQUEST_TOO_MANY_ITEMS: 'These are too many rows for one request. Send fewer at once.',
    REQUEST_MEDIA_TYPE_UNSUPPORTED: reload,
    REQUEST_RATE_LIMITED: 'There were too many requests within a minute. Wait a moment, then try again.',
    REQUEST_HEADERS_TOO_LARGE: reload,
    USER_EMPLOYEE_ID_EXISTS: 'This employee ID is already taken.',
    USER_NOT_FOUND: 'This user no longer exists.',
    USER_USERNAME_EXISTS: 'This username is already taken.',
    USER_CONTACT_REQUIRED: 'Enter an email address or a phone number.',
    USER_NOT_AN_OBJECT: "This row couldn't be read.",
    USER_FIELD_REQUIRED: 'A required field is empty.',
    USER_FIELD_INVALID: 'A field has a value that is not allowed.',
    USER_FIELD_NOT_ACCEPTED: "A field can't be set here.",
    USER_LAST_ADMINISTRATOR:
      'This is the only active administrator with a username. First give another administrator a username, or make someone else an administrator.',
    USER_CHANGED_SINCE: 'This user has been changed, removed or used since then, and was left as is.',
    USER_PROTECTED:
      'This user has a role. Only an administrator can change their username or contact details, or reactivate them.',
    USER_ERASED: 'The personal data of this user was erased for good.',
    USER_ATTRIBUTE_EXISTS: 'Another user has this value.',
    USER_MANAGER_NOT_FOUND: 'Nobody has the employee ID of this manager.',
    USER_MANAGER_CYCLE: 'This would make someone their own manager, directly or through others.',
    ACCESS_TOKEN_REQUIRED: signInAgain,
    ACCESS_TOKEN_INVALID: signInAgain,
    ACCESS_SCOPE_MISSING: "You don't have permission to do this. Ask an administrator.",
    ACCESS_CLIENT_INVALID: signInAgain,
    ACCESS_GRANT_UNSUPPORTED: reload,
    ACCESS_SCOPE_INVALID: reload,
    ACCESS_TOKEN_REQUEST_INVALID: reload,
    ACCESS_SIGN_IN_FAILED:
      'The username, employee ID or password is wrong, or this user is not allowed to sign in. Check your entries.',
    ACCESS_SIGN_IN_DELAYED: 'There were too many failed attempts. Wait a moment, then try again.',
    ACCESS_PASSWORD_EXPIRED: 'Your initial password has expired. Ask an administrator to send you a new one.',
    ACCESS_PASSWORD_CHANGE_REQUIRED: 'Choose a new password first.',
    ACCESS_PASSWORD_REFUSED: 'This password is not allowed. Choose another one.',
    ACCESS_PASSWORD_WRONG: 'The current password is wrong.',
    ACCESS_USER_REQUIRED: notTheirs,
    ACCESS_CLIENT_NOT_FOUND: 'This client no longer exists. Reload the page.',
    ACCESS_DELIVERY_NOT_FOUND: 'This message no longer exists. Reload the page.',
    ACCESS_DELIVERY_SUPERSEDED:
      'This message is no longer needed: a newer one has replaced it, or the user has already chosen a password.',
    ACCESS_CLIENT_TOKEN_NOT_FOUND: 'This token no longer exists. Reload the page.',
    ACCESS_CLIENT_TOKEN_TOO_MANY:
      'This client has as many tokens as it can have. Revoke one that is no longer used.',
    ACCESS_CLIENT_NOT_A_PROVIDER:
      'This client is not allowed to create and change users over SCIM. Add the permission on the page “API clients” first.',
    ACCESS_TOKEN_OF_ANOTHER_CLIENT: reload,
    ACCESS_TOKEN_TYPE_UNSUPPORTED: reload,
    ACCESS_SESSION_NOT_FOUND: 'This session has already ended. Reload the page.',
    ACCESS_PROOF_REQUIRED: "Confirm that it's you, then try again.",
    ACCESS_ORIGIN_REFUSED: reload,
    ACCESS_FACTOR_REQUIRED: 'A password alone is not enough. Sign in with your second factor.',
    ACCESS_FACTOR_CODE_WRONG:
      'The code is wrong, or was used before. Wait for the next one, or use another recovery code.',
    ACCESS_PASSKEY_REFUSED: 'The passkey was not accepted. Try again, or sign in another way.',
    ACCESS_PASSKEYS_UNAVAILABLE: "Passkeys don't work at this address. Open Rollcall at its usual address.",
    ACCESS_PASSKEY_EXISTS: 'This passkey has already been added.',
    ACCESS_FACTOR_NOT_FOUND: 'This second factor no longer exists. Reload the page.',
    ACCESS_FACTOR_TOO_MANY: 'You have as many second factors as possible. Remove one that you no longer use.',
    ACCESS_FACTOR_LAST: 'Your company requires a second factor. Add another one before you remove this one.',
    APPLICATION_NOT_FOUND: 'This application no longer exists. Reload the page.',
    APPLICATION_NAME_EXISTS:
      'Another application already has this name. Choose one that users can tell from it.',
    APPLICATION_WITHOUT_SECRET:
      'This application has no secret, because it runs in a browser or on a device.',
    APPLICATION_SIGN_IN_NOT_FOUND: 'This sign-in has expired. Go back to the application and sign in again.',
    ACCESS_FIELD_NOT_EDITABLE: 'Your company maintains this field. Ask an administrator to change it.',
    ACCESS_SSO_NOT_CONFIGURED: 'Single sign-on is not set up. Sign in with your password.',
    ACCESS_SSO_UNAVAILABLE: 'The sign-in of your company does not answer now. Try again in a moment.',
    ACCESS_SSO_FAILED: 'The sign-in could not be completed. It may have taken too long. Please start again.',
    ACCESS_SSO_CANCELLED: 'Your company has not signed you in. If you did not cancel, ask an administrator.',
    ACCESS_SSO_USER_UNKNOWN:
      'Your company knows you, but you have no account here yet. Ask an administrator to add you.',
    ACCESS_SSO_USER_INACTIVE: 'Your account here is deactivated. Ask an administrator to activate it.',
    ACCESS_SSO_USER_DIFFERENT: 'You signed in as somebody else. Repeat it with your own account.',
    ACCESS_LOCAL_SIGN_IN_OFF: 'Passwords are not used here. Sign in with the account of your company.',
    ACCESS_PASSWORD_LINK_INVALID:
      'This link has expired, was used, or was replaced by a newer one. Request another one.',
    ACCESS_LOGOUT_TOKEN_INVALID: 'The logout token is not valid.',
    ACCESS_CODE_WRONG: 'This code is wrong or has expired. Check it, or have a new one sent.',
    ACCESS_CODES_EXHAUSTED: 'Too many codes were sent today. Try again tomorrow, or ask an administrator.',
    VIEW_NOT_FOUND: 'This view no longer exists. Reload the page.',
    VIEW_OF_SOMEBODY_ELSE:
      'Only whoever shared this view and administrators can change it. Save a view of your own.',
    VIEW_NAME_TAKEN: 'Another view has this name. Choose a different one.',
    VIEW_TOO_MANY: 'There are too many views. Delete one that is not used.',
    CALL_NOT_FOUND: 'This bulk change no longer exists.',
    CALL_RUNNING: 'This bulk change is still running. Wait until it has finished.',
    CALL_TOO_OLD:
      'This bulk change is too old to be undone: some of its changes are no longer in the history.',
    CALL_EXCEEDS_SAFETY_LIMIT: 'This affects more users than the safety limit allows. Nothing was changed.',
    CALL_UNDONE: 'This bulk change was undone before it had finished. Run it again.',
    CALL_CONFIRMATION_REQUIRED:
      'The number of users has changed, so nothing was done. Check the preview and confirm again.',
    CALL_MATCHES_TOO_MANY: 'Too many users match. Add filters, then change them in parts.',
    CALL_ITEM_OUTDATED:
      'Skipped, because something has changed since the preview. If you still want this, preview and run it again.',
    CALL_STATE_CONFLICT: 'Someone else has already decided about this change. Reload the page.',
    CALL_APPROVAL_BY_AUTHOR: 'You scheduled or took over this change, so someone else has to approve it.',
    CALL_TOO_MANY_PLANNED:
      'Too many changes are scheduled. Cancel some of them, or wait until they have run.',
    CALL_NOT_UNDOABLE: "This call erased users. That can't be undone.",
    IDEMPOTENCY_KEY_INVALID: reload,
    IDEMPOTENCY_KEY_REUSED: reload,
    IDEMPOTENCY_KEY_IN_USE: 'The same request is still running. Wait a moment, then try again.',
    WEBHOOK_NOT_FOUND: 'This webhook no longer exists. Reload the page.',
    WEBHOOK_URL_REFUSED:
      'Webhooks can\'t be sent to this URL. Enter a complete URL that starts with https://, without a username, a password or "#". It must not lead to a private network, unless your installation allows it.',
    EVENTS_PRUNED: 'These events are no longer available. Choose a higher number.',
    EVENTS_BUSY: 'The service is busy. Try again in a moment.',
    BACKUP_BUSY: 'A backup is being made already. Try again when it is done.',
    DIRECTORY_ENTRY_NOT_FOUND: 'This entry no longer exists. Close the dialog and reload the page.',
    DIRECTORY_ENTRY_EXISTS: 'This ID is already in use. Go back and choose another one.',
    DIRECTORY_ENTRY_IN_USE: "It can't be deleted: users have it, or organizations are part of it.",
    ATTRIBUTE_NOT_FOUND: 'This attribute no longer exists. Reload the page.',
    ATTRIBUTE_KEY_EXISTS: 'Another attribute has this key. Choose another one.',
    ATTRIBUTE_IN_USE: 'Users have a value of this attribute. Clear it first, or retire the attribute.',
    ATTRIBUTE_TOO_MANY: 'No more attributes can be defined. Delete one first.',
    ATTRIBUTE_NOT_UNIQUE:
      "Several users have the same value, so it can't become unique. Change these values first.",
    SCIM_TARGET_NOT_FOUND: 'This connection no longer exists. Reload the page.',
    SCIM_TARGET_URL_REFUSED:
      'Users can\'t be pushed to this URL. Enter a complete URL that starts with https://, without a username, a password, "?" or "#". It must be reachable from the internet, unless whoever runs the service allows other hosts.',
    FEED_NOT_FOUND: 'This feed no longer exists. Reload the page.',
    FEED_KEY_EXISTS: 'Another feed has this key. Choose another one.',
    FEED_TOO_MANY: 'There are too many feeds. Delete one first.',
    FEED_RUN_NOT_FOUND: 'This run no longer exists. Reload the page.',
    FEED_RUN_STATE_CONFLICT: 'The run has moved on meanwhile. Reload the page.',
    FEED_APPROVAL_BY_AUTHOR: 'You uploaded this file, so someone else has to approve the run.',
    FEED_FILE_GONE: "The file of this run is no longer stored, so it can't be read again.",
    FEED_BUSY: "A run of this feed hasn't ended yet. Wait for it, approve it or cancel it.",
    SCIM_REQUEST_INVALID: 'The request of the provider does not make sense.',
    SCIM_RESOURCE_NOT_FOUND: 'The provider asked for something that no longer exists.',
    SCIM_FILTER_FORBIDDEN: 'The provider asked for something that is not supported.',
    SCIM_REFERENCE_UNRESOLVED: 'Another operation of the request failed, or both refer to each other.',
    SCIM_OPERATION_SKIPPED: 'The operation was not processed, because too many others had failed.',
    SCIM_DEACTIVATION_LIMIT: 'The provider has deactivated too many users. Allow more, if this is intended.',
    SERVICE_UNAVAILABLE: 'The service is busy or unavailable. Nothing was changed. Try again in a moment.',
    SERVICE_OUTCOME_UNKNOWN:
      'The connection to the database was lost, so the change may or may not have been made. Check before you try again.',
    SERVICE_INTERNAL_ERROR:
      'The service failed unexpectedly. Try again. If it happens again, tell your administrator.',
  } satisfies Record<ErrorName, string>,

  retryIn: (duration: string) => `There were too many attempts. Try again in ${duration}.`,
  invalidParent:
    "Choose another parent. An organization can't be part of itself or of one of its parts, or be nested too deeply.",
  tooManyItems: (limit: number) => `At most ${formatNumber(limit)} rows can be sent at once.`,
  callState: (state: string) =>
    `Someone else has already decided about this change. Its state is now: ${state}.`,
  changedSince: (fields: readonly string[]) =>
    `Left as is, because this has been changed since then: ${fields.join(', ')}.`,
  erasedOn: (date: string) => `The personal data of this user was erased for good on ${date}.`,
  notFound: {
    plain: (employeeID: string) => `No user has the employee ID "${employeeID}".`,
    renamedByRow: (employeeID: string, row: number, newEmployeeID: string) =>
      `No user has the employee ID "${employeeID}", because row ${formatNumber(row)} changes it to "${newEmployeeID}".`,
    renamed: (employeeID: string, newEmployeeID: string, date: string) =>
      `No user has the employee ID "${employeeID}". It was changed to "${newEmployeeID}" on ${date}.`,
    removed: (employeeID: string, date: string) =>
      `No user has the employee ID "${employeeID}". The user who had it was removed on ${date}.`,
    at: (employeeID: string, date: string) => `No user had the employee ID "${employeeID}" on ${date}.`,
  },
  taken: {
    employeeID: (value: string) => `The employee ID "${value}" is already taken by another user.`,
    username: (value: string) => `The username "${value}" is already taken by another user.`,
  },
  takenByInactive: {
    employeeID: (value: string) => `The employee ID "${value}" is already taken by an inactive user.`,
    username: (value: string) => `The username "${value}" is already taken by an inactive user.`,
  },
  takenByRow: {
    employeeID: (value: string, row: number) =>
      `The employee ID "${value}" is already taken by row ${formatNumber(row)}.`,
    username: (value: string, row: number) =>
      `The username "${value}" is already taken by row ${formatNumber(row)}.`,
  },
  quarantined: {
    employeeID: (value: string, until: string) =>
      `The employee ID "${value}" was given up recently. Until ${until}, only its last holder can have it again. Choose another one. An administrator can release it earlier.`,
    username: (value: string, until: string) =>
      `The username "${value}" was given up recently. Until ${until}, only its last holder can have it again. Choose another one. An administrator can release it earlier.`,
  },
  releasedByRow: {
    employeeID: (value: string, row: number) =>
      `The employee ID "${value}" is released by row ${formatNumber(row)}. For now, only its last holder can have it again.`,
    username: (value: string, row: number) =>
      `The username "${value}" is released by row ${formatNumber(row)}. For now, only its last holder can have it again.`,
  },

  /** The sentence about a field, where the field isn't next to it. */
  about: (field: string, sentence: string) => `${field}: ${sentence}`,
  required: 'This field is required.',
  notAccepted: "This field can't be set here.",
  managerCycle: (manager: string, user: string) =>
    `${manager} already reports to ${user}, directly or through others.`,
  notInDirectory: {
    organizationSerial: "This organization doesn't exist. Add it first, or choose another one.",
    tagSerials: "One of these tags doesn't exist. Add it first, or choose another one.",
  },
  /** What a field accepts. */
  rules: {
    employeeID: (max: number) => `Use only letters from a to z and digits, at most ${formatNumber(max)}.`,
    newEmployeeID: (max: number) => `Use only letters from a to z and digits, at most ${formatNumber(max)}.`,
    username: (max: number) => `Use only letters from a to z and digits, at most ${formatNumber(max)}.`,
    email: (max: number) =>
      `Enter an address like name@example.com, without spaces and with at most ${formatNumber(max)} characters.`,
    /** Of all other texts. */
    text: (max: number) =>
      `Enter at most ${formatNumber(max)} characters, without line breaks or invisible control characters.`,
    password: (max: number) => `Enter at most ${formatNumber(max)} characters.`,
    organizationSerial: (max: number) =>
      `Enter an ID with at most ${formatNumber(max)} characters, without line breaks or invisible control characters.`,
    managerEmployeeID: () => 'No user has this name or employee ID. Choose a manager from the list.',
    list: (max: number, count: number) =>
      `Enter at most ${formatNumber(count)} IDs with up to ${formatNumber(max)} characters each, without line breaks or invisible control characters.`,
    boolean: () => 'Enter yes or no, active or inactive, true or false, or 1 or 0.',
  },
  passwords: {
    length: (min: number, max: number) => `Use ${formatNumber(min)} to ${formatNumber(max)} characters.`,
    characters: 'This password contains invisible control characters. Remove them.',
    ownName: 'The password must not be the username or the employee ID.',
    common: 'This is one of the most common passwords. Choose another one.',
    unchanged: 'This is your current password. Choose another one.',
    guessable: (words: readonly string[]) =>
      `This password is easy to guess, because it is based on ${formatList(words)}. Add more characters, or choose another one.`,
    words: {
      product: 'the name of this product or a role',
      company: 'the company name',
      username: 'your username',
      employeeID: 'your employee ID',
      email: 'your email address',
    },
  },
};

export const outageCopy = {
  waiting: "Can't reach the service. Reconnecting…",
  pageFailed: "Couldn't show this page",
  pageFailedHint: "Reload the page. If that doesn't help, tell your administrator.",
  reload: 'Reload page',
  notFoundHint: 'The link may be wrong, or the page has moved.',
  toStart: 'Go to the start page',
};
