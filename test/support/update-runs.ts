import type { CallMode } from '../../src/contract/calls.js';
import type { Scope } from '../../src/contract/scopes.js';
import type { AttributeReader } from '../../src/domain/attributes/attribute-set.js';
import { type CallResult, completed } from '../../src/domain/bulk/run-call.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange } from '../../src/domain/users/user-rules.js';
import type { Database } from '../../src/storage/database.js';
import type { TestService } from './service.js';

export interface RunSettings {
  /** Items per transaction. */
  readonly chunkItems?: number;
  readonly connectionsMax?: number;
  /** How many items are parsed at once; all by default. */
  readonly blockItems?: number | undefined;
  readonly key?: string;
  readonly mode?: CallMode;
  readonly safetyLimitPercent?: number;
  readonly confirmed?: number;
  /** Used instead of the service's. */
  readonly database?: Database;
  readonly by?: RunCaller;
  readonly read?: AttributeReader;
}

/** A client, and whether it has access:admin. */
export interface RunCaller {
  readonly id: string;
  readonly isAdmin: boolean;
}

export function callerOf({ id, isAdmin }: RunCaller = { id: 'update-runs', isAdmin: true }) {
  const scopes = new Set<Scope>(isAdmin ? ['users:write', 'access:admin'] : ['users:write']);
  return { actor: { kind: 'client', id, scopes } as const, requestId: 'update-runs', address: '::1' };
}

/** A bulk update without HTTP, so that each run can have its own limits and connections. */
export function runUpdates(
  { context }: Pick<TestService, 'context'>,
  items: readonly unknown[],
  settings: RunSettings = {},
): Promise<CallResult> {
  const { chunkItems = 2, connectionsMax = 2, key, mode = 'oneByOne', confirmed } = settings;
  const { safetyLimitPercent = 0, database = context.database } = settings;
  const limits = { ...context.limits, bulkChunkItems: chunkItems, bulkConnectionsMax: connectionsMax };
  const changed = { ...context, database, safetyLimitPercent, limits };
  const parsed = items.map((item, position) => parseBulkChange(item, { position }, 'keep', settings.read));
  const { blockItems = Math.max(parsed.length, 1) } = settings;
  const blocks: (typeof parsed)[] = [];
  for (let first = 0; first < parsed.length; first += blockItems) {
    blocks.push(parsed.slice(first, first + blockItems));
  }
  return completed(
    updateUsersBulk(changed, blocks, {
      caller: callerOf(settings.by),
      effects: true,
      ...{ mode, confirmed },
      ...(key !== undefined && { key: { key, fingerprint: key } }),
    }),
  );
}

/** The results of a call by position: true for success, or the error name. */
export function verdictsOf(result: CallResult): (true | string)[] {
  if (!result.ok) throw new Error(`the call was rejected: ${result.failure.detail}`);
  return result.outcomes.map((outcome) => outcome.ok || outcome.failure.error);
}
