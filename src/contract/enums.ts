/** The enumerations of the API, separate from its schemas so that they can be imported without them. */
import { changeableFields } from './user-values.js';

export const changeKinds = ['created', 'updated', 'rehired', 'deleted', 'erased'] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** The fields in the change log, including the role, which is stored separately. */
export const loggedFields = [...changeableFields, 'role'] as const satisfies readonly string[];
export type LoggedField = (typeof loggedFields)[number];

export const callKinds = [
  'create-bulk',
  'update-bulk',
  'upsert-bulk',
  'update-matching',
  'rename-organization',
  'merge-organization',
  'rename-tag',
  'merge-tag',
  'delete-attribute',
  'erase-bulk',
  'undo',
] as const;
export type CallKind = (typeof callKinds)[number];

/** What an update of matching users can set. */
export const patchKinds = [
  'activate',
  'deactivate',
  'addTag',
  'removeTag',
  'setOrganization',
  'clearOrganization',
  'setManager',
  'clearManager',
  'setAttribute',
  'clearAttribute',
] as const;
export type PatchKind = (typeof patchKinds)[number];

export const callStates = [
  'planned',
  'awaitingApproval',
  'running',
  'done',
  'interrupted',
  'cancelled',
  'expired',
] as const;
export type CallState = (typeof callStates)[number];

/** The states of a planned call that may still run. */
export const waitingStates = ['planned', 'awaitingApproval'] as const satisfies readonly CallState[];

export function isWaiting(state: CallState): boolean {
  return (waitingStates as readonly CallState[]).includes(state);
}

/** Whether a call has begun. One that was cancelled or has expired never will. */
export function hasRun(state: CallState): boolean {
  return !isWaiting(state) && state !== 'cancelled' && state !== 'expired';
}

/** What people decide about a planned call. */
export const decisionKinds = ['planned', 'approved', 'rejected', 'cancelled'] as const;
export type DecisionKind = (typeof decisionKinds)[number];

/** What a planned call does with items whose outcome is no longer the one of its preview. */
export const ifChangedChoices = ['skip', 'run', 'stop'] as const;
export type IfChanged = (typeof ifChangedChoices)[number];

export const deliveryStates = ['waiting', 'held', 'dormant', 'sent', 'parked', 'cancelled'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Password messages, notices of account changes, codes that confirm a new email or phone, and links to a new password. */
export const deliveryKinds = [
  'initial-password',
  'reset-password',
  'account-changed',
  'confirm-contact',
  'password-link',
] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Who may sign in with a password when there is an identity provider. */
export const localSignInChoices = ['on', 'administrators', 'off'] as const;
export type LocalSignIn = (typeof localSignInChoices)[number];

/** What a claim of the identity provider is compared with. */
export const providerUserFields = ['employeeID', 'username', 'email'] as const;
export type ProviderUserField = (typeof providerUserFields)[number];

/** Why a delivery is held: by deliver=hold, or because the address changed. */
export const heldReasons = ['requested', 'addressChanged'] as const;
export type HeldReason = (typeof heldReasons)[number];

/** What a notice can be about. */
export const noticeSubjects = [
  'email',
  'username',
  'password',
  'role',
  'factorAdded',
  'factorRemoved',
  'factorsReset',
  'recoveryCodesReplaced',
  'recoveryCodeUsed',
] as const;
export type NoticeSubject = (typeof noticeSubjects)[number];

/** What users can prove besides their password. */
export const factorKinds = ['passkey', 'totp'] as const;
export type FactorKind = (typeof factorKinds)[number];

/** Who has to have a second factor. Everybody else may. */
export const secondFactorPolicies = ['off', 'roles', 'everyone'] as const;
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number];

/** What a session lacks before it can be used: nothing, a proof with a factor of the user, or the first factor. */
export const secondFactorStates = ['none', 'required', 'enrol'] as const;
export type SecondFactor = (typeof secondFactorStates)[number];

/** A code of an app or a recovery code, or a passkey that stays on its device or is synced to others. */
export const givenFactors = ['code', 'devicePasskey', 'syncedPasskey'] as const;
export type GivenFactor = (typeof givenFactors)[number];

/** From most to least specific. */
export const eventTypes = [
  'user.created',
  'user.erased',
  'user.deleted',
  'user.rehired',
  'user.renamed',
  'user.deactivated',
  'user.reactivated',
  'user.updated',
  'call.completed',
  'call.planned',
  'call.approved',
  'call.takenOver',
  'call.cancelled',
  'call.expired',
  'feed.waiting',
  'feed.ended',
] as const;
export type EventType = (typeof eventTypes)[number];

export const feedRunStates = [
  'queued',
  'running',
  'waiting',
  'done',
  'unchanged',
  'failed',
  'stopped',
  'cancelled',
  'superseded',
  'undoing',
  'undone',
] as const;
export type FeedRunState = (typeof feedRunStates)[number];

export const feedRunPhases = ['fetch', 'plan', 'apply'] as const;
export type FeedRunPhase = (typeof feedRunPhases)[number];

export const feedTriggers = ['schedule', 'newFile', 'upload', 'request'] as const;
export type FeedTrigger = (typeof feedTriggers)[number];

/** What can become of a row. */
export const feedRowKinds = [
  'created',
  'rehired',
  'updated',
  'renamed',
  'deactivated',
  'reactivated',
  'unchanged',
  'planned',
  'skipped',
  'failed',
] as const;
export type FeedRowKind = (typeof feedRowKinds)[number];

/** What a company can let users change of their own account, besides attributes. */
export const ownFields = ['name', 'email', 'phone'] as const;
export type OwnField = (typeof ownFields)[number];

/** Of these, those that are stored once the user has entered the code that was sent to them. */
export const confirmedFields = ['email', 'phone'] as const;
export type ConfirmedField = (typeof confirmedFields)[number];

/** Who made a change, as far as it concerns its user. */
export const changeAuthors = ['self', 'person', 'program'] as const;
export type ChangeAuthor = (typeof changeAuthors)[number];

/** The languages of messages to users. */
export const languages = ['en', 'de', 'es'] as const;
export type Language = (typeof languages)[number];

/** What the values of a company attribute can be. */
export const attributeTypes = ['text', 'number', 'date', 'boolean', 'choice', 'list'] as const;
export type AttributeType = (typeof attributeTypes)[number];

/** The identity providers that settings are preset for. */
export const providerKinds = ['okta', 'entra', 'other'] as const;
export type ProviderKind = (typeof providerKinds)[number];

/** What a provider's DELETE does to a user. */
export const deletionChoices = ['deactivate', 'erase'] as const;
export type DeletionChoice = (typeof deletionChoices)[number];

/** Where the employee ID of a new user without an employee number comes from. */
export const employeeIdSources = ['reject', 'externalId', 'generate'] as const;
export type EmployeeIdSource = (typeof employeeIdSources)[number];

/** Which users a provider sees. */
export const visibleUsersChoices = ['all', 'own'] as const;
export type VisibleUsers = (typeof visibleUsersChoices)[number];

/** What becomes of attributes that no schema defines. */
export const unknownAttributesChoices = ['ignore', 'reject'] as const;
export type UnknownAttributes = (typeof unknownAttributesChoices)[number];

/** Why a SCIM request is rejected (RFC 7644, table 9; RFC 9865 for cursors). */
export const scimErrorTypes = [
  'invalidFilter',
  'invalidPath',
  'invalidSyntax',
  'invalidValue',
  'invalidVers',
  'mutability',
  'noTarget',
  'sensitive',
  'tooMany',
  'uniqueness',
  'invalidCursor',
  'expiredCursor',
  'invalidCount',
] as const;
export type ScimErrorType = (typeof scimErrorTypes)[number];

/** What becomes of users at a SCIM target who are deactivated here. */
export const targetDeactivations = ['deactivate', 'delete'] as const;
export type TargetDeactivation = (typeof targetDeactivations)[number];

/** Why a request to a SCIM target failed. */
export const targetErrors = [
  'hostRefused',
  'unreachable',
  'certificateNotTrusted',
  'timedOut',
  'unauthorized',
  'rateLimited',
  'redirected',
  'serverError',
  'invalidResponse',
  'responseTooLarge',
  'notFound',
  'conflict',
  'rejected',
] as const;
export type TargetError = (typeof targetErrors)[number];

/** Why a message could not be delivered to a user. */
export const deliveryProblems = [
  'userGone',
  'noAddress',
  'emailInvalid',
  'phoneInvalid',
  'passwordLost',
  'mailTimedOut',
  'mailUnreachable',
  'mailClosed',
  'mailEnded',
  'mailTls',
  'mailNoAuthentication',
  'mailCredentialsRefused',
  'mailSenderRefused',
  'mailRecipientRefused',
  'mailMessageRefused',
  'mailConnectionRefused',
  'mailInvalidResponse',
  'mailFailed',
  'smsTimedOut',
  'smsUnreachable',
  'smsClosed',
  'smsRedirected',
  'smsRefused',
  'outboxFailed',
  'stopped',
  'busy',
  'internal',
] as const;
export type DeliveryProblem = (typeof deliveryProblems)[number];

/** Why a message could not be delivered to a webhook. */
export const webhookProblems = [
  'responded',
  'redirected',
  'timedOut',
  'closed',
  'refused',
  'certificateNotTrusted',
  'invalidResponse',
  'tls',
  'hostRefused',
  'unreachable',
  'stopped',
] as const;
export type WebhookProblem = (typeof webhookProblems)[number];

/** Why the service disabled a webhook. */
export const webhookDisabledCauses = ['gone', 'failing', 'secretLost'] as const;
export type WebhookDisabledCause = (typeof webhookDisabledCauses)[number];

/** Why the service pauses a SCIM target. */
export const pausedCauses = ['failing', 'secretLost'] as const;
export type PausedCause = (typeof pausedCauses)[number];

/** How the users and groups of a SCIM target differ from those here. */
export const targetDifferences = ['missing', 'extra', 'different'] as const;
export type TargetDifference = (typeof targetDifferences)[number];

/** What an identity provider can ask for. */
export const scimOperations = [
  'create',
  'get',
  'list',
  'replace',
  'patch',
  'delete',
  'bulk',
  'discover',
  'unknown',
] as const;
export type ScimOperation = (typeof scimOperations)[number];

export const scimResourceTypes = ['User', 'Group'] as const;
export type ScimResourceType = (typeof scimResourceTypes)[number];

/** What an application may be told about its users, and whether it may stay signed in. */
export const applicationScopes = [
  'openid',
  'profile',
  'email',
  'phone',
  'employee',
  'offline_access',
] as const;
export type ApplicationScope = (typeof applicationScopes)[number];
