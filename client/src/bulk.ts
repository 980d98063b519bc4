import type { Rollcall } from './client.js';
import { cut, type Slice } from './cut.js';
import { errorFrom, RequestFailed, type ServiceError } from './errors.js';
import { limits } from './generated/tables.js';
import { newIdempotencyKey } from './idempotency-key.js';
import type { Query, RequestBody, Schemas } from './operations.js';
import type { RetryOptions } from './retry.js';

type BulkName = 'createUsersBulk' | 'updateUsersBulk' | 'upsertUsersBulk';
type ItemOf<Name extends BulkName> = RequestBody<Name>['items'][number];
type Items<T> = Iterable<T> | AsyncIterable<T>;

export type BulkCreateOptions<Item> = BulkOptions<'createUsersBulk', Item>;
export type BulkUpdateOptions<Item> = BulkOptions<'updateUsersBulk', Item>;
export type BulkUpsertOptions<Item> = BulkOptions<'upsertUsersBulk', Item>;

interface BulkOptions<Name extends BulkName, Item> {
  /** Without `details`, which this function always needs: it assigns outcomes to items by position. */
  readonly query?: Omit<Query<Name>, 'details'> | undefined;
  /** At most 10,000, which is the default. */
  readonly itemsPerCall?: number | undefined;
  /** At most 16 MiB, which is the default. */
  readonly bytesPerCall?: number | undefined;
  /** Stops before the next call when aborted. The call in flight finishes, so that its outcomes are known. */
  readonly signal?: AbortSignal | undefined;
  /** Reuse it with the same list to avoid doing anything twice. Default: a new one. */
  readonly idempotencyKeyPrefix?: string | undefined;
  /** The X-Request-Id of every call, by which `listCalls` finds them together. Default: that of the client. */
  readonly requestId?: string | undefined;
  readonly retry?: Omit<RetryOptions, 'signal'> | false | undefined;
  /** Called after each call with its outcomes, which are not kept. The next call waits for it. */
  readonly onOutcomes?: ((outcomes: Outcome<Item>[], call: AnsweredCall) => void | Promise<void>) | undefined;
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

/** The outcome of one item. */
export type Outcome<Item> = {
  /** Index in the whole list. */
  readonly position: number;
  readonly item: Item;
} & (
  | { readonly ok: true; readonly serial: string | null; readonly effect?: Schemas['Effect'] }
  | {
      readonly ok: false;
      /** Positions in its data count from the start of the whole list, `items[…]` in its detail from the start of the call. */
      readonly error: ServiceError;
      /** The detail of the error without the position of the item. */
      readonly reason: string;
    }
);

/** One of the calls that a list is split into. */
export interface BulkCall {
  /** The position of its first item in the whole list. */
  readonly first: number;
  readonly count: number;
  readonly idempotencyKey: string;
}

export interface AnsweredCall extends BulkCall {
  /** Identifies the call, for example to undo it. Previews have none. */
  readonly callId: string | undefined;
  /** The call ran before; this is its stored response. */
  readonly isReplay: boolean;
  /** The call waits for its time or for approval. Nothing has changed yet, and its outcomes are a preview. */
  readonly isPlanned: boolean;
}

export interface BulkProgress {
  readonly calls: number;
  /** Number of items, from the start of the list, that have an outcome. */
  readonly done: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Number of items in calls that wait for their time or for approval. They count as neither of the two. */
  readonly planned: number;
  /** Known for arrays only. */
  readonly total: number | undefined;
}

/** The list was not completed. `cause` is the error, or the reason of the signal. */
export class BulkInterrupted extends Error {
  override readonly name = 'BulkInterrupted';
  readonly progress: BulkProgress;
  /** The next call, if it was sent and may have run. Nothing after it was sent. */
  readonly open: BulkCall | undefined;

  constructor(progress: BulkProgress, open: BulkCall | undefined, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`Stopped after ${progress.done} items: ${reason}`, { cause });
    this.progress = progress;
    this.open = open;
  }
}

/** Creates any number of users, in consecutive calls. */
export function createInBulk<Item extends ItemOf<'createUsersBulk'>>(
  rollcall: Rollcall,
  items: Items<Item>,
  options: BulkCreateOptions<Item> = {},
): Promise<BulkProgress> {
  return run('createUsersBulk', rollcall, items, options);
}

/** Updates any number of users, in consecutive calls. */
export function updateInBulk<Item extends ItemOf<'updateUsersBulk'>>(
  rollcall: Rollcall,
  items: Items<Item>,
  options: BulkUpdateOptions<Item> = {},
): Promise<BulkProgress> {
  return run('updateUsersBulk', rollcall, items, options);
}

/** Updates users who exist and creates the others, any number of them, in consecutive calls. */
export function upsertInBulk<Item extends ItemOf<'upsertUsersBulk'>>(
  rollcall: Rollcall,
  items: Items<Item>,
  options: BulkUpsertOptions<Item> = {},
): Promise<BulkProgress> {
  return run('upsertUsersBulk', rollcall, items, options);
}

interface RunOptions<Item> extends Omit<BulkUpdateOptions<Item>, 'query'> {
  readonly query?: { readonly [name: string]: unknown } | undefined;
}

async function run<Item>(
  name: BulkName,
  rollcall: Rollcall,
  items: Items<Item>,
  options: RunOptions<Item>,
): Promise<BulkProgress> {
  const { signal, idempotencyKeyPrefix: prefix = newIdempotencyKey() } = options;
  const total = Array.isArray(items) ? items.length : undefined;
  let progress: BulkProgress = { calls: 0, done: 0, succeeded: 0, failed: 0, planned: 0, total };
  let open: BulkCall | undefined;
  try {
    for await (const slice of cut(items, cutLimits(options))) {
      if (options.query?.mode === 'finalState' && !slice.isLast) throw cutFinalState();
      signal?.throwIfAborted();
      open = { first: slice.first, count: slice.items.length, idempotencyKey: `${prefix}-${slice.first}` };
      const { status, body, headers } = await rollcall.call(name as 'updateUsersBulk', {
        query: name === 'updateUsersBulk' ? { ...options.query, details: true } : options.query,
        headers: {
          'idempotency-key': open.idempotencyKey,
          ...(options.requestId === undefined ? {} : { 'x-request-id': options.requestId }),
        },
        body: { items: slice.items as ItemOf<'updateUsersBulk'>[] },
        retry: options.retry === false ? false : { ...options.retry, signal },
      });
      const outcomes = outcomesOf(slice, body.data);
      const call: AnsweredCall = {
        ...open,
        callId: headers.get('x-call-id') ?? undefined,
        isReplay: headers.get('idempotent-replayed') === 'true',
        isPlanned: status === 202,
      };
      open = undefined;
      progress = advanced(progress, body.data, call);
      await options.onOutcomes?.(outcomes, call);
      options.onProgress?.(progress);
    }
    return progress;
  } catch (error) {
    const isUndone = error instanceof RequestFailed && !error.outcomeUnknown;
    throw new BulkInterrupted(progress, isUndone ? undefined : open, error);
  }
}

function cutLimits({ itemsPerCall, bytesPerCall }: RunOptions<never>) {
  return {
    itemsPerCall: Math.max(1, Math.min(itemsPerCall ?? Infinity, limits.bulkItemsMax)),
    bytesPerCall: Math.min(bytesPerCall ?? Infinity, limits.bulkBodyMaxBytes),
  };
}

/** Split across two calls, a swap would be two renames that both fail. Detected before anything is sent. */
function cutFinalState(): RangeError {
  return new RangeError('With mode=finalState all items have to fit into one call.');
}

type Report = (Schemas['BulkUpdateReport'] | Schemas['BulkCreateReport'])['data'];

function advanced(progress: BulkProgress, report: Report, { isPlanned }: AnsweredCall): BulkProgress {
  const { successItems, failedItems } = report;
  const items = successItems.length + failedItems.length;
  return {
    calls: progress.calls + 1,
    done: progress.done + items,
    succeeded: progress.succeeded + (isPlanned ? 0 : successItems.length),
    failed: progress.failed + (isPlanned ? 0 : failedItems.length),
    planned: progress.planned + (isPlanned ? items : 0),
    total: progress.total,
  };
}

function outcomesOf<Item>({ first, items }: Slice<Item>, report: Report): Outcome<Item>[] {
  const results: (Result | undefined)[] = items.map(() => undefined);
  for (const { position, response, effect } of report.successItems) {
    if (position === undefined) throw new Error(noPositions);
    results[position] = { ok: true, serial: response.serial, ...(effect && { effect }) };
  }
  for (const { position, error } of report.failedItems) {
    if (position === undefined) throw new Error(noPositions);
    const reason = error.reason ?? error.detail;
    results[position] = { ok: false, error: inWholeList(errorFrom(error), first), reason };
  }
  return items.map((item, index) => {
    const result = results[index];
    if (!result) throw new Error(`The report does not mention items[${index}]; the call itself was done.`);
    return { position: first + index, item, ...result };
  });
}

type Result =
  | Pick<Extract<Outcome<unknown>, { ok: true }>, 'ok' | 'serial' | 'effect'>
  | Pick<Extract<Outcome<unknown>, { ok: false }>, 'ok' | 'error' | 'reason'>;

const noPositions =
  'The report has no positions, so the service is older than 0.2.0. The call itself was done.';

/** Positions count from the start of the call; those of an outcome count from the start of the list. */
function inWholeList(error: ServiceError, first: number): ServiceError {
  switch (error.name) {
    case 'USER_EMPLOYEE_ID_EXISTS':
    case 'USER_USERNAME_EXISTS': {
      const { takenBy, quarantined } = error.data;
      if (takenBy?.position != null)
        return { ...error, data: { takenBy: { ...takenBy, position: first + takenBy.position } } };
      if (quarantined?.position == null) return error;
      const position = first + quarantined.position;
      return { ...error, data: { quarantined: { ...quarantined, position } } };
    }
    case 'USER_NOT_FOUND': {
      const { renamedBy } = error.data;
      if (!renamedBy) return error;
      const position = first + renamedBy.position;
      return { ...error, data: { ...error.data, renamedBy: { ...renamedBy, position } } };
    }
    default:
      return error;
  }
}
