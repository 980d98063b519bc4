import {
  type BulkCreateOptions,
  BulkInterrupted,
  type BulkUpdateOptions,
  createInBulk,
  newIdempotencyKey,
  type RequestBody,
  updateInBulk,
} from '@rollcall/client';
import { rollcall } from '../../session/api.js';
import type { ItemReport } from './report.js';

export type BulkKind = 'update' | 'create';
type UpdateItem = RequestBody<'updateUsersBulk'>['items'][number];
type CreateItem = RequestBody<'createUsersBulk'>['items'][number];
export type Item = UpdateItem | CreateItem;

export interface CallOptions {
  readonly confirm?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface SendOptions extends CallOptions {
  /** Sending the same items with the same key again has no further effect. */
  readonly key: string;
  readonly deliver: 'now' | 'hold';
}

export interface Sent {
  readonly reports: readonly ItemReport[];
  readonly callId: string;
  /** The call awaits approval, and its reports are a preview. */
  readonly isPlanned: boolean;
}

/** Reports have one entry per item. */
export interface BulkCalls {
  preview(kind: BulkKind, items: readonly Item[], options: CallOptions): Promise<readonly ItemReport[]>;
  send(kind: BulkKind, items: readonly Item[], options: SendOptions): Promise<Sent>;
}

export const bulkCalls: BulkCalls = {
  preview: async (kind, items, { confirm, signal }) => {
    const options = { key: newIdempotencyKey(), signal };
    const { reports } =
      kind === 'update'
        ? await update(items, { dryRun: true, confirm }, options)
        : await create(items, { dryRun: true }, options);
    return reports;
  },
  send: (kind, items, { confirm, deliver, ...options }) =>
    kind === 'update' ? update(items, { confirm }, options) : create(items, { deliver }, options),
};

interface OneCall {
  readonly key: string;
  readonly signal?: AbortSignal | undefined;
}

function update(
  items: readonly Item[],
  query: BulkUpdateOptions<UpdateItem>['query'],
  { key, signal }: OneCall,
): Promise<Sent> {
  return inOneCall((onOutcomes) =>
    updateInBulk(rollcall, items as UpdateItem[], { query, signal, idempotencyKeyPrefix: key, onOutcomes }),
  );
}

function create(
  items: readonly Item[],
  query: BulkCreateOptions<CreateItem>['query'],
  { key, signal }: OneCall,
): Promise<Sent> {
  return inOneCall((onOutcomes) =>
    createInBulk(rollcall, items as CreateItem[], { query, signal, idempotencyKeyPrefix: key, onOutcomes }),
  );
}

type OnOutcomes = NonNullable<BulkUpdateOptions<Item>['onOutcomes']>;

/** The items fit into one call, so there is one report, or the error of that call. */
async function inOneCall(run: (onOutcomes: OnOutcomes) => Promise<unknown>): Promise<Sent> {
  let sent: Sent = { reports: [], callId: '', isPlanned: false };
  try {
    await run((outcomes, { callId = '', isPlanned }) => {
      const reports = outcomes.map((outcome) =>
        outcome.ok
          ? { ok: true as const, serial: outcome.serial, effect: outcome.effect }
          : { ok: false as const, error: outcome.error, reason: outcome.reason },
      );
      sent = { reports, callId, isPlanned };
    });
    return sent;
  } catch (error) {
    throw error instanceof BulkInterrupted ? error.cause : error;
  }
}
