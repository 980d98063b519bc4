import type { Scope } from '../contract/scopes.js';
import type { ChangeOrigin } from '../storage/changes/changes.js';
import type { CallAuthor } from '../storage/changes/planned-calls.js';
import type { Actor } from './actor.js';

/** Where a request comes from, for the audit log. */
export interface Sender {
  readonly requestId: string;
  readonly address: string;
}

/** Who makes a request, and from where. */
export interface Caller extends Sender {
  readonly actor: {
    readonly kind: Actor['kind'];
    readonly id: string;
    readonly scopes: ReadonlySet<Scope>;
    readonly tokenGeneration?: number;
  };
}

/** The caller as written to the change log. */
export function changeOrigin({ actor, requestId }: Caller, callId: string | null = null): ChangeOrigin {
  return { actor: { kind: actor.kind, id: actor.id }, requestId, callId };
}

/** The caller as the one who answers for a planned call. */
export function callAuthor({ actor: { kind, id, scopes, tokenGeneration } }: Caller): CallAuthor {
  return { kind, id, scopes: [...scopes], tokenGeneration };
}
