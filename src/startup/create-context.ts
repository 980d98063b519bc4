import { join, resolve } from 'node:path';
import type { Config } from '../config.js';
import { chatFormatOf } from '../contract/notices.js';
import { version } from '../contract/version.js';
import { openTargetSender, type TargetSender } from '../delivery/scim-target-request.js';
import { openWebhookPost, type WebhookPost } from '../delivery/webhook-request.js';
import { ThrottledEvents } from '../domain/audit/throttled-events.js';
import { ChangeFollower } from '../domain/changes/follower.js';
import type { Context } from '../domain/context.js';
import type { SourceReader } from '../domain/feeds/source-reader.js';
import type { Chat } from '../domain/notices/notices.js';
import { isCommonPassword } from '../domain/passwords/common-passwords.js';
import { PasswordHasher } from '../domain/passwords/password.js';
import { passwordProblem } from '../domain/passwords/password-rules.js';
import { ScimRequestLog } from '../domain/scim/request-log.js';
import { openSecretCipher } from '../domain/secrets/open-secret-cipher.js';
import { IdentityProvider, providerDefaults } from '../domain/sso/identity-provider.js';
import { batchedCreate } from '../domain/users/batched-create.js';
import { batchedUpdate } from '../domain/users/batched-update.js';
import type { WebhookSender } from '../domain/webhooks/webhook-message.js';
import { openSourceReader } from '../sources/open-source-reader.js';
import type { Database } from '../storage/database.js';
import { collationFor } from '../storage/indexing/name-order.js';
import type { Metrics } from '../telemetry/metrics.js';

/** Creates the dependencies of the operations. */
export function createContext(
  config: Config,
  database: Database,
  webhookSender: WebhookSender = webhookPostFor(config),
  metrics?: Metrics,
): Context {
  const limits = limitsFor(config.limits, database.kind);
  const quarantineDays = {
    employeeID: config.employeeIdQuarantineDays,
    username: config.usernameQuarantineDays,
  };
  const isCommon = (password: string) => isCommonPassword(password) || config.refusedPasswords.has(password);
  return {
    database,
    dataDir: resolve(config.dataDir),
    limits,
    metrics,
    nameCollation: collationFor(config.nameCollation),
    strictDirectories: config.directories === 'strict',
    bulkCalls: { running: 0 },
    backups: { running: 0 },
    batchedCreate: batchedCreate(database, limits, quarantineDays),
    batchedUpdate: batchedUpdate(database),
    passwords: new PasswordHasher({
      memoryKib: config.argon2MemoryKib,
      passes: config.argon2Passes,
      concurrency: config.passwordHashesAtOnce,
      waitingMax: limits.passwordHashesWaitingMax,
      onWaited: metrics && ((ms) => metrics.hashWait(ms / 1_000)),
    }),
    cipher: openSecretCipher(config),
    changes: new ChangeFollower(database, limits.eventPollMs),
    forbiddenRequests: new ThrottledEvents(database.pool),
    delayedSignIns: new ThrottledEvents(database.pool),
    scimRequests: new ScimRequestLog(database),
    webhookSender,
    sources: sourcesFor(config),
    feedFileMaxBytes: config.feedFileMaxMb * 1024 * 1024,
    webhookTargets: config.webhookTargets,
    webhookHosts: config.webhookHosts,
    sessionLifetimeSeconds: config.sessionLifetimeSeconds,
    sessionIdleSeconds: config.sessionIdleSeconds,
    secondFactorPolicy: config.secondFactor,
    proofMaxSeconds: config.proofMinutes * 60,
    localSignIn: config.localSignIn,
    passwordRecovery: config.passwordRecovery === 'on',
    isOpenIdProvider: config.openIdProvider === 'on',
    safetyLimitPercent: config.safetyLimitPercent,
    safetyApproval: config.safetyApproval === 'required',
    plannedCallExpiryHours: config.plannedCallExpiryHours,
    timeZone: config.timeZone,
    quarantineDays,
    companyNames: config.companyNames,
    isCommonPassword: isCommon,
    changeNotices: config.changeNotices === 'on',
    userEditableFields: config.userEditableFields,
    bulkChangeNotices: config.bulkChangeNotices === 'on',
    writesToFiles: { email: config.smtpUrl === undefined, sms: config.smsGatewayUrl === undefined },
    noticeChat: noticeChatOf(config),
    language: config.language,
    initialPassword: config.initialPassword,
    initialPasswordLifetimeHours: config.initialPasswordLifetimeHours,
    initialPasswordCheck:
      config.initialPasswordRules === 'full'
        ? (password, user) => passwordProblem(password, user, isCommon)
        : undefined,
  };
}

/** The embedded database has one session, so a transaction must not last: other requests wait for its end. */
const embeddedChunkItemsMax = 500;

function limitsFor(limits: Config['limits'], kind: Database['kind']): Config['limits'] {
  if (kind !== 'embedded') return limits;
  return { ...limits, bulkChunkItems: Math.min(limits.bulkChunkItems, embeddedChunkItemsMax) };
}

function noticeChatOf({ noticeWebhookUrl: url }: Config): Chat | undefined {
  return url === undefined ? undefined : { url, format: chatFormatOf(url) };
}

/** At least 1 KB per second over five minutes. */
const sourceTimeouts = { idleMs: 60_000, totalMs: 2 * 3_600_000, slowMs: 300_000, slowBytes: 307_200 };
const folderSettleSeconds = 10;

/** Feeds follow the rules of webhooks for whom the service connects to. */
function sourcesFor({ webhookTargets, webhookHosts, feedDir, dataDir, feedFileMaxMb }: Config): SourceReader {
  return openSourceReader({
    targets: webhookTargets,
    allowedHosts: webhookHosts,
    userAgent: `Rollcall/${version}`,
    timeouts: sourceTimeouts,
    fileMaxBytes: feedFileMaxMb * 1024 * 1024,
    folderRoot: resolve(feedDir ?? join(dataDir, 'feeds')),
    folderSettleSeconds,
    now: Date.now,
  });
}

export function webhookPostFor({ webhookTargets, webhookHosts, limits }: Config): WebhookPost {
  const userAgent = `Rollcall/${version}`;
  return openWebhookPost({
    targets: webhookTargets,
    allowedHosts: webhookHosts,
    timeoutMs: limits.webhookTimeoutMs,
    userAgent,
  });
}

/** The company's OpenID provider; undefined without single sign-on. */
export function identityProviderFor(
  config: Config,
  publicUrl: () => string,
  onProblem: (problem: string) => void,
): IdentityProvider | undefined {
  const { ssoIssuer: issuer, ssoClientId: clientId, ssoUserClaim: userClaim } = config;
  if (issuer === undefined || clientId === undefined || userClaim === undefined) return undefined;
  return new IdentityProvider(
    {
      ...{ issuer, clientId, userClaim },
      clientSecret: config.ssoClientSecret,
      scopes: config.ssoScopes,
      userField: config.ssoUserField,
      roleClaim: config.ssoRoleClaim,
      roles: config.ssoRoles,
      name: config.ssoName,
    },
    { ...providerDefaults, publicUrl, onProblem },
  );
}

/** SCIM targets follow the rules of webhooks. */
export function targetSenderFor({ webhookTargets, webhookHosts, limits }: Config): TargetSender {
  return openTargetSender({
    targets: webhookTargets,
    allowedHosts: webhookHosts,
    timeoutMs: limits.webhookTimeoutMs,
    userAgent: `Rollcall/${version}`,
  });
}
