import {
  type BulkCreateOptions,
  BulkInterrupted,
  type BulkUpdateOptions,
  createInBulk,
  errorFrom,
  newIdempotencyKey,
  type RequestBody,
  updateInBulk,
} from '@rollcall/client';
import { errorMessage } from '../../components/error-message.js';
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
  /** The same key with the same items is done once, however often it is sent. */
  readonly key: string;
  readonly deliver: 'now' | 'hold';
}

export interface Sent {
  readonly reports: readonly ItemReport[];
  readonly callId: string;
}

export interface UndoReport {
  readonly restored: number;
  readonly left: readonly { readonly employeeID: string; readonly message: string }[];
  readonly callId: string | undefined;
}

/** The bulk calls of the service; a report has an entry for each item. */
export interface BulkCalls {
  preview(kind: BulkKind, items: readonly Item[], options: CallOptions): Promise<readonly ItemReport[]>;
  send(kind: BulkKind, items: readonly Item[], options: SendOptions): Promise<Sent>;
  undo(callId: string, options: CallOptions & { readonly dryRun: boolean }): Promise<UndoReport>;
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
  undo: async (callId, { dryRun, confirm, signal }) => {
    const { body, headers } = await rollcall.call('undoCall', {
      path: { id: callId },
      query: { dryRun: dryRun || undefined, confirm },
      signal,
    });
    const { successItems, failedItems } = body.data;
    return {
      restored: successItems.length,
      left: failedItems.map(({ payload, error }) => ({
        employeeID: String((payload as { employeeID?: unknown }).employeeID ?? ''),
        message: errorMessage(errorFrom(error), error.detail),
      })),
      callId: headers.get('x-call-id') ?? undefined,
    };
  },
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

/** The items are few enough for one call, so there is one report, or the error that came instead of it. */
async function inOneCall(run: (onOutcomes: OnOutcomes) => Promise<unknown>): Promise<Sent> {
  let sent: Sent = { reports: [], callId: '' };
  try {
    await run((outcomes, { callId = '' }) => {
      const reports = outcomes.map((outcome) =>
        outcome.ok
          ? { ok: true as const, serial: outcome.serial, effect: outcome.effect }
          : { ok: false as const, error: outcome.error, reason: outcome.reason },
      );
      sent = { reports, callId };
    });
    return sent;
  } catch (error) {
    throw error instanceof BulkInterrupted ? error.cause : error;
  }
}
