import { v7 } from 'uuid';
import type { AccessEventKind } from '../../contract/access-events.js';
import { insertAccessEvent, type NewAccessEvent } from '../../storage/access/access-events.js';
import type { Executor } from '../../storage/database.js';
import type { Caller } from '../caller.js';

export interface AccessFacts {
  readonly userSerial?: string;
  readonly clientId?: string;
  /** Never contains a secret or user input. */
  readonly detail?: Readonly<Record<string, unknown>>;
}

/** Records an access event, within the transaction that caused it if there is one. */
export async function recordAccess(
  executor: Executor,
  kind: AccessEventKind,
  caller: Partial<Caller>,
  facts: AccessFacts = {},
): Promise<void> {
  await insertAccessEvent(executor, accessEvent(kind, caller, facts));
}

export function accessEvent(
  kind: AccessEventKind,
  caller: Partial<Caller>,
  { userSerial, clientId, detail }: AccessFacts,
): NewAccessEvent {
  return {
    id: v7(),
    kind,
    actor: caller.actor ? { kind: caller.actor.kind, id: caller.actor.id } : null,
    userSerial: userSerial ?? null,
    clientId: clientId ?? null,
    address: caller.address ?? null,
    requestId: caller.requestId ?? null,
    detail: detail ?? {},
  };
}
