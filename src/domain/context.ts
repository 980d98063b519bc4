import type { ChangePasswordContext } from './access/change-password.js';
import type { LocalSignInContext } from './access/local-sign-in.js';
import type { OwnFactorContext } from './access/own-factors.js';
import type { ProofSettings } from './access/prove-identity.js';
import type { SignInContext } from './access/sign-in.js';
import type { ThrottledEvents } from './audit/throttled-events.js';
import type { DownloadContext } from './backups/download-backup.js';
import type { FeedWorkerContext } from './feeds/feed-worker.js';
import type { SettingsContext } from './maintenance/get-settings.js';
import type { PlanMatchingContext, PlanUndoContext } from './planned/plan-selected.js';
import type { PlannableContext } from './planned/plannable-calls.js';
import type { OwnProfileContext } from './profile/own-profile.js';
import type { ScimTargetContext } from './provisioning/targets.js';
import type { RecoveryContext } from './recovery/request-link.js';
import type { ScimRequestLog } from './scim/request-log.js';
import type { CreateUserContext } from './users/create-user.js';
import type { UserListContext } from './users/list-users.js';
import type { UpdateUserContext } from './users/update-user.js';
import type { LanguageContext } from './users/user-language.js';
import type { InitialPasswordRules } from './users/user-rules.js';
import type { CreateWebhookContext, TestWebhookContext } from './webhooks/webhooks.js';
/** Everything that operations need. Each of them takes only its own part. */
export interface Context
  extends CreateUserContext,
    FeedWorkerContext,
    UpdateUserContext,
    PlanMatchingContext,
    PlanUndoContext,
    PlannableContext,
    UserListContext,
    LanguageContext,
    SignInContext,
    OwnFactorContext,
    OwnProfileContext,
    ChangePasswordContext,
    RecoveryContext,
    LocalSignInContext,
    CreateWebhookContext,
    ScimTargetContext,
    TestWebhookContext,
    DownloadContext,
    SettingsContext,
    ProofSettings,
    InitialPasswordRules {
  readonly bulkCalls: { running: number };
  /** Records rejected requests, which callers can send without limit. */
  readonly forbiddenRequests: ThrottledEvents;
  /** Records the requests of identity providers. */
  readonly scimRequests: ScimRequestLog;
}
