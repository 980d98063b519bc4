import { isScope } from '../../contract/scopes.js';
import { findTokenOwner, noteTokenUse } from '../../storage/access/client-tokens.js';
import type { Database } from '../../storage/database.js';
import { BoundedMap } from '../bounded-map.js';
import type { ClientActor } from '../caller.js';
import { hashSecret } from '../clients/client-credentials.js';
import { clientFreshMs } from './client-tokens.js';
import { NotedUses } from './noted-uses.js';

/** Never more than the client has. */
const scopesOfTokens: readonly string[] = ['scim'];
const cachedMax = 10_000;

export interface LongLivedTokens {
  /** The cached result, without waiting; undefined if there is none. */
  cached(token: string): ClientActor | undefined;
  check(token: string): Promise<ClientActor | undefined>;
  /** Clears the cached result, so that this node checks the token again immediately. */
  forget(token: string): void;
  /** Writes when tokens were used. */
  flush(): Promise<void>;
}

/**
 * Checks long-lived tokens of clients. As with tokens that the service issues, the result is cached for a few seconds, so
 * that a revoked token, a disabled client or a removed scope takes effect within these.
 */
export function createLongLivedTokens(database: Database, clientUses: NotedUses): LongLivedTokens {
  const answers = new BoundedMap<{ actor: ClientActor; goodUntilMs: number }>(cachedMax);
  const uses = new NotedUses((ids) => noteTokenUse(database.pool, ids));
  return {
    cached: (token) => {
      const answer = answers.get(token);
      return answer && answer.goodUntilMs > Date.now() ? answer.actor : undefined;
    },
    check: async (token) => {
      const readAtMs = Date.now();
      const owner = await findTokenOwner(database.pool, hashSecret(token));
      if (!owner) return undefined;
      uses.note(owner.tokenId);
      clientUses.note(owner.clientId);
      const scopes = owner.scopes.filter(isScope).filter((scope) => scopesOfTokens.includes(scope));
      const { clientId: id, tokenGeneration } = owner;
      const actor = { kind: 'client', id, scopes: new Set(scopes), tokenGeneration } as const;
      const expiresAtMs = owner.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
      answers.set(token, { actor, goodUntilMs: Math.min(readAtMs + clientFreshMs, expiresAtMs) });
      return actor;
    },
    forget: (token) => answers.delete(token),
    flush: () => uses.flush(),
  };
}
