import type { Limits } from '../contract/limits.js';
import type { AllowedHost } from '../contract/webhook-hosts.js';
import type { Database } from '../storage/database.js';
import type { CountedEvents } from './audit/counted-events.js';
import type { ChangeFollower } from './changes/follower.js';
import type { WebhookTargets } from './events/webhook-url.js';
import type { PasswordHasher } from './passwords/password.js';
import type { Vault } from './secrets/vault.js';
import type { BatchedCreate } from './users/batched-create.js';
import type { PasswordCheck } from './users/user-rules.js';

/** What every operation works with. */
export interface Context {
  readonly database: Database;
  readonly limits: Limits;
  readonly batchedCreate: BatchedCreate;
  readonly passwords: PasswordHasher;
  readonly vault: Vault;
  /** Tells how far the change log can be followed. */
  readonly changes: ChangeFollower;
  /** Puts on record what callers can make happen as often as they like. */
  readonly forbiddenRequests: CountedEvents;
  readonly delayedSignIns: CountedEvents;
  readonly webhookTargets: WebhookTargets;
  /** Empty: any host. */
  readonly webhookHosts: readonly AllowedHost[];
  readonly sessionLifetimeSeconds: number;
  /** The share of all users that one bulk call may deactivate or rename; 0 for any. */
  readonly safetyLimitPercent: number;
  /** The names of the company, which passwords must not be built around. */
  readonly companyNames: readonly string[];
  /** In lower case: on the bundled list, or on the operator's own. */
  readonly isCommonPassword: (password: string) => boolean;
  /** Whether people are told that their email, username, password or role changed. */
  readonly changeNotices: boolean;
  readonly initialPasswords: {
    readonly lifetimeHours: number;
    /** What a password given on create has to obey; undefined if any text will do. */
    readonly check: PasswordCheck | undefined;
  };
}
