import { isScope } from '../../contract/scopes.js';
import { findTokenOwner, noteTokenUse } from '../../storage/access/client-tokens.js';
import type { Database } from '../../storage/database.js';
import { BoundedMap } from '../bounded-map.js';
import type { ClientActor } from '../caller.js';
import { hashSecret } from '../clients/client-credentials.js';
import { clientFreshMs } from './client-tokens.js';

/** Never more than the client has. */
const scopesOfTokens: readonly string[] = ['scim'];
const cachedMax = 10_000;
/** The last use is shown to the minute, so it is written once a minute, and soon after the first use. */
const notedEveryMs = 60_000;
const notedAfterMs = 1_000;

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
export function createLongLivedTokens(database: Database): LongLivedTokens {
  const answers = new BoundedMap<{ actor: ClientActor; goodUntilMs: number }>(cachedMax);
  const uses = new TokenUses(database);
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

/** When tokens were used, written outside of requests. */
class TokenUses {
  readonly #database: Database;
  readonly #notedAtMs = new BoundedMap<number>(cachedMax);
  #waiting = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  note(tokenId: string): void {
    const now = Date.now();
    if (now - (this.#notedAtMs.get(tokenId) ?? 0) < notedEveryMs) return;
    this.#notedAtMs.set(tokenId, now);
    this.#waiting.add(tokenId);
    this.#timer ??= setTimeout(() => void this.flush().catch(() => {}), notedAfterMs).unref();
  }

  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const ids = [...this.#waiting].sort();
    this.#waiting = new Set();
    if (ids.length > 0) await noteTokenUse(this.#database.pool, ids);
  }
}
