import type { Logger } from 'pino';
import type { TargetError } from '../contract/enums.js';
import { scimTargetLimits } from '../contract/limits.js';
import type { ChangeContext } from '../domain/changes/follower.js';
import type { LimitedDatabase } from '../domain/database.js';
import { type NoticeContext, queueNotice } from '../domain/notices/notices.js';
import { compareNextPage } from '../domain/provisioning/compare-next-page.js';
import { followLog } from '../domain/provisioning/follow-log.js';
import { nextGroups, nextUsers, type Push, type PushOutcome } from '../domain/provisioning/next-pushes.js';
import {
  type Ask,
  isAboutItem,
  isAboutTarget,
  type TargetFailure,
} from '../domain/provisioning/target-client.js';
import { tokenPurpose } from '../domain/provisioning/targets.js';
import type { SecretContext } from '../domain/secrets/secret-cipher.js';
import { transaction } from '../storage/database.js';
import {
  anyTargetActive,
  type ClaimedTarget,
  claimTargets,
  recordReached,
  recordUnreached,
  releaseTarget,
  renewClaim,
} from '../storage/provisioning/target-claims.js';
import type { Metrics } from '../telemetry/metrics.js';
import { type DeliveryWorker, pauseUnlessStopped, startClaiming } from './claim-loop.js';
import { leaseMs, pauseAfter } from './retry.js';
import type { TargetSender } from './scim-target-request.js';

export interface ProvisioningContext extends LimitedDatabase, SecretContext, ChangeContext, NoticeContext {
  readonly metrics?: Metrics | undefined;
}

/** How often to look for targets while there are none. */
const idlePollMs = 2_000;

/**
 * Pushes users and groups to SCIM targets. Any number of nodes can run this: a target is claimed by one node at a time, so
 * that no user is pushed twice at once. Targets are independent, so one that hangs does not delay the others.
 */
export function startProvisioning(
  context: ProvisioningContext,
  sender: TargetSender,
  concurrency: number,
  logger: Logger,
): DeliveryWorker {
  const worker = startClaiming(
    {
      what: 'SCIM targets',
      claim: (count, stopping) => claim(context, count, stopping),
      send: async (target, stopping) => new TargetWork(context, sender, target, stopping, logger).run(),
      concurrency,
      pollMs: context.limits.eventPollMs,
    },
    logger,
  );
  return {
    stop: async () => {
      await worker.stop();
      sender.close();
    },
  };
}

async function claim(
  { database, changes, limits, cipher }: ProvisioningContext,
  count: number,
  stopping: AbortSignal,
): Promise<ClaimedTarget[]> {
  if (!(await anyTargetActive(database.pool))) {
    await pauseUnlessStopped(idlePollMs, stopping);
    return [];
  }
  const settled = await changes.refresh();
  const lease = leaseMs(limits.webhookTimeoutMs);
  return claimTargets(database.pool, { settled, keyIds: cipher.keyIds, count, leaseMs: lease });
}

/** After this long, another target that waits gets the slot. */
const claimMaxMs = 10_000;
const usersPerRound = 20;
const groupsPerRound = 4;

/** After so many failures in a row, it is the target that fails, and not what it was sent. */
const failuresInRowMax = 5;

/** With the usual pauses, the target has failed for about an hour. */
const noticeAfterAttempts = 10;

/** A push that fails is tried again at least once an hour. */
const itemPauseMaxMs = 3_600_000;

/** What a node does with a target from its claim to its release. */
class TargetWork {
  readonly #context: ProvisioningContext;
  readonly #sender: TargetSender;
  readonly #target: ClaimedTarget;
  readonly #token: string;
  readonly #signal: AbortSignal;
  readonly #logger: Logger;
  readonly #endsAt = performance.now() + claimMaxMs;
  #renewing: Promise<boolean> | undefined;
  #renewedAt = Number.NEGATIVE_INFINITY;
  #nextRequestAt = 0;
  #failuresInRow = 0;
  #wasReached = false;
  /** Why nothing more is sent. */
  #ending: TargetFailure | undefined;

  constructor(
    context: ProvisioningContext,
    sender: TargetSender,
    target: ClaimedTarget,
    signal: AbortSignal,
    logger: Logger,
  ) {
    this.#context = context;
    this.#sender = sender;
    this.#target = target;
    this.#token = context.cipher.decrypt(target.secret, tokenPurpose(target.id));
    this.#signal = signal;
    this.#logger = logger;
  }

  async run(): Promise<void> {
    const { database } = this.#context;
    while (!this.#ending && !this.#signal.aborted && performance.now() < this.#endsAt) {
      if (!(await this.#hold())) return;
      const { isSyncing } = await followLog(this.#context, this.#target);
      const users = await nextUsers(database, this.#target, usersPerRound);
      await this.#pushAll(users);
      const groups = await nextGroups(database, this.#target, groupsPerRound);
      await this.#pushAll(groups);
      const isComparing = !this.#ending && (await this.#compare());
      if (users.length + groups.length === 0 && !isComparing && !isSyncing) break;
    }
    if (this.#ending && this.#ending.error !== 'stopped')
      await this.#recordUnreached(this.#ending, this.#ending.error);
    else await releaseTarget(database.pool, this.#target);
  }

  /** Several at once. */
  async #pushAll(pushes: readonly Push[]): Promise<void> {
    const waiting = [...pushes];
    const next = async () => {
      for (let push = waiting.shift(); push && !this.#ending; push = waiting.shift()) await this.#push(push);
    };
    await Promise.all(Array.from({ length: scimTargetLimits.requestsAtOnce }, next));
  }

  async #push(push: Push): Promise<void> {
    const outcome = await push.run(this.#ask);
    if (!outcome.ok && outcome.error === 'stopped') return;
    this.#context.metrics?.scimPush(outcome.ok ? 'pushed' : 'failed');
    if (outcome.ok) await this.#recordReached({ wasPushed: true });
    else await this.#recordFailure(push, outcome, outcome.error as TargetError);
  }

  async #recordReached(how: { readonly wasPushed: boolean }): Promise<void> {
    this.#failuresInRow = 0;
    if (this.#wasReached) return;
    this.#wasReached = how.wasPushed;
    await recordReached(this.#context.database.pool, this.#target, how);
  }

  async #recordFailure(push: Push, failure: TargetFailure, error: TargetError): Promise<void> {
    if (isAboutTarget(failure)) {
      this.#ending = failure;
      return;
    }
    if (!isAboutItem(failure) && ++this.#failuresInRow >= failuresInRowMax) this.#ending = failure;
    const { webhookPauseMs: firstMs, webhookPauseMaxMs } = this.#context.limits;
    const pauses = { firstMs, longestMs: Math.min(webhookPauseMaxMs, itemPauseMaxMs) };
    const pauseMs = Math.max(
      pauseAfter(push.attempts + 1, pauses, Math.random()),
      (failure.retryAfterSeconds ?? 0) * 1_000,
    );
    await push.recordFailed({ error, status: failure.status, pauseMs });
  }

  /** Returns false if nothing is compared. */
  async #compare(): Promise<boolean> {
    const page: PushOutcome | 'nothing' = await compareNextPage(
      this.#context.database,
      this.#target,
      this.#ask,
    );
    if (page === 'nothing') return false;
    if (page.ok) await this.#recordReached({ wasPushed: false });
    else if (isAboutTarget(page)) this.#ending = page;
    return true;
  }

  /** Every request goes through here: within the rate, and only while the target is claimed. */
  readonly #ask: Ask = async (request) => {
    const stopped = { ok: false, error: 'stopped', status: null } as const;
    await this.#pace();
    if (this.#ending) return stopped;
    if (this.#signal.aborted || !(await this.#hold())) {
      this.#ending = stopped;
      return stopped;
    }
    return this.#sender.send({ url: this.#target.url, token: this.#token }, request, this.#signal);
  };

  async #pace(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#nextRequestAt);
    this.#nextRequestAt = at + 1_000 / this.#target.requestsPerSecond;
    if (at > now) await pauseUnlessStopped(at - now, this.#signal);
  }

  /** Renews the claim so that it outlasts a request that begins now. Returns false if it was lost. */
  #hold(): Promise<boolean> {
    const { webhookTimeoutMs } = this.#context.limits;
    if (performance.now() - this.#renewedAt < webhookTimeoutMs / 2) return Promise.resolve(true);
    this.#renewing ??= this.#renew(webhookTimeoutMs).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #renew(timeoutMs: number): Promise<boolean> {
    for (;;) {
      const began = performance.now();
      if (!(await renewClaim(this.#context.database.pool, this.#target, leaseMs(timeoutMs)))) return false;
      this.#renewedAt = began;
      if (performance.now() - began < timeoutMs / 2) return true;
    }
  }

  /** Administrators are told of a target that keeps failing, and when nothing is pushed to it anymore. */
  async #recordUnreached(
    { status, retryAfterSeconds = 0 }: TargetFailure,
    error: TargetError,
  ): Promise<void> {
    const { database, limits } = this.#context;
    const { id, name, attempts } = this.#target;
    const pauses = { firstMs: limits.webhookPauseMs, longestMs: limits.webhookPauseMaxMs };
    const attempt = this.#wasReached ? 1 : attempts + 1;
    const pauseMs = Math.max(pauseAfter(attempt, pauses, Math.random()), retryAfterSeconds * 1_000);
    const failed = { error, status, pauseMs, giveUpHours: limits.webhookGiveUpHours };
    const noted = await transaction(database, async (tx) => {
      const recorded = await recordUnreached(tx, this.#target, failed);
      if (recorded?.isPaused || (recorded && attempt === noticeAfterAttempts)) {
        const facts = { target: { id, name }, isPaused: recorded.isPaused };
        await queueNotice(this.#context, tx, { topic: 'scimTargetFailing', facts });
      }
      return recorded;
    });
    if (!noted) return;
    this.#logger.warn(
      { target: id, attempt, error, status },
      noted.isPaused ? 'SCIM target paused' : 'SCIM target not reached, retrying later',
    );
  }
}
