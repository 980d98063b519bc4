/** What the database knows, and every node therefore reports alike. */
export interface SharedFigures {
  readonly deliveries: Readonly<Record<(typeof openDeliveryStates)[number], number>>;
  /** How long the message that has been due longest has waited; 0 if none is due. */
  readonly oldestDueDeliverySeconds: number;
  readonly webhooks: Readonly<Record<(typeof webhookStates)[number], number>>;
  /** The age of the oldest event that an active webhook has yet to receive; 0 if there is none. */
  readonly oldestWebhookEventSeconds: number;
  readonly scimTargets: Readonly<Record<(typeof scimTargetStates)[number], number>>;
  /** Users and groups that wait to be pushed, and those among them whose last attempt failed. */
  readonly scimQueue: { readonly queued: number; readonly failed: number };
  readonly plannedCalls: Readonly<Record<(typeof plannedCallStates)[number], number>>;
  /** How long the call that is due longest has waited to run; 0 if none is due. */
  readonly oldestDueCallSeconds: number;
  readonly feeds: Readonly<Record<(typeof feedStates)[number], number>>;
  /** How long the feed that is due longest, and is not paused, has waited for its run; 0 if none is due. */
  readonly oldestDueFeedSeconds: number;
  /** The last number in the change log. */
  readonly lastChange: number;
  readonly indexing: {
    /** Changes that are not indexed yet. */
    readonly changesBehind: number;
    /** The age of the oldest of them; 0 if there is none. */
    readonly secondsBehind: number;
    /** The index is built from scratch, and searches wait for it. */
    readonly isBuilding: boolean;
  };
  readonly databaseBytes: number;
}

/** Messages that were neither sent nor cancelled. */
export const openDeliveryStates = ['waiting', 'held', 'dormant', 'parked'] as const;

/** Active webhooks deliver; failing ones are retried; disabled ones were given up; paused ones were turned off. */
export const webhookStates = ['active', 'failing', 'disabled', 'paused'] as const;

/** The service has stopped those that failed for too long; people have paused others. */
export const scimTargetStates = ['active', 'failing', 'stopped', 'paused'] as const;

export const plannedCallStates = ['planned', 'awaitingApproval', 'awaitingTakeover', 'running'] as const;

/** A feed waits for approval, or its last run failed or was stopped, or neither. Paused ones don't run by themselves. */
export const feedStates = ['waiting', 'failed', 'running', 'paused', 'idle'] as const;
