import type { Language } from '../contract/enums.js';
import type { Limits } from '../contract/limits.js';
import type { AllowedHost } from '../contract/webhook-hosts.js';
import type { Database } from '../storage/database.js';
import type { Metrics } from '../telemetry/metrics.js';
import type { ThrottledEvents } from './audit/throttled-events.js';
import type { ChangeFollower } from './changes/follower.js';
import type { QuarantineDays } from './names/quarantine.js';
import type { PasswordHasher } from './passwords/password.js';
import type { SecretCipher } from './secrets/secret-cipher.js';
import type { BatchedCreate } from './users/batched-create.js';
import type { PasswordCheck } from './users/user-rules.js';
import type { WebhookSender } from './webhooks/webhook-message.js';
import type { WebhookTargets } from './webhooks/webhook-url.js';

/** The dependencies of every operation. */
export interface Context {
  readonly database: Database;
  readonly dataDir: string;
  readonly limits: Limits;
  /** Undefined if metrics are off. */
  readonly metrics?: Metrics | undefined;
  /** The database's name for the order of names. */
  readonly nameCollation: string;
  /** Whether users can only have organizations and tags that are in the directories. */
  readonly strictDirectories: boolean;
  /** Counts the bulk calls that this node runs right now. */
  readonly bulkCalls: { running: number };
  /** Counts the backups that are being downloaded from this node. */
  readonly backups: { running: number };
  readonly batchedCreate: BatchedCreate;
  readonly passwords: PasswordHasher;
  readonly cipher: SecretCipher;
  /** Knows how far the change log can be followed. */
  readonly changes: ChangeFollower;
  /** Record events that callers can trigger without limit. */
  readonly forbiddenRequests: ThrottledEvents;
  readonly delayedSignIns: ThrottledEvents;
  readonly webhookSender: WebhookSender;
  readonly webhookTargets: WebhookTargets;
  /** If empty, any host is allowed. */
  readonly webhookHosts: readonly AllowedHost[];
  readonly sessionLifetimeSeconds: number;
  /** The share of all users that one bulk call may deactivate or rename; 0 means no limit. */
  readonly safetyLimitPercent: number;
  /** Whether a call beyond it waits for approval instead of being rejected. */
  readonly safetyApproval: boolean;
  /** Hours after which a planned call that could not run expires; 0 means never. */
  readonly plannedCallExpiryHours: number;
  /** In which a date without a time begins. */
  readonly timeZone: string;
  readonly quarantineDays: QuarantineDays;
  /** Company names that passwords must not be based on. */
  readonly companyNames: readonly string[];
  /** Expects lower case. Covers the bundled list and the operator's own. */
  readonly isCommonPassword: (password: string) => boolean;
  /** Whether users are notified when their email, username, password or role changes. */
  readonly changeNotices: boolean;
  /** Whether bulk calls notify users as well, unless they say otherwise. */
  readonly bulkChangeNotices: boolean;
  /** Whether messages are written to files, because nothing that sends them is configured. */
  readonly writesToFiles: { readonly email: boolean; readonly sms: boolean };
  /** Of messages to users who have none of their own. */
  readonly language: Language;
  readonly initialPasswords: {
    readonly lifetimeHours: number;
    /** The rules for a password given on create; undefined accepts any text. */
    readonly check: PasswordCheck | undefined;
  };
}
