import type { GivenFactor } from '../../contract/enums.js';
import type { Database } from '../../storage/database.js';
import {
  consumeState,
  deleteGrant,
  deleteState,
  findState,
  putState,
  type State,
} from '../../storage/openid/states.js';
import type { UserActor } from '../caller.js';
import { hashSecret } from '../clients/client-credentials.js';
import { isSerial } from '../serial.js';

/** What the protocol knows about a code, a token, a grant, an interaction or a browser session. */
export type StatePayload = Readonly<Record<string, unknown>>;

/** How a user proved who they are, in the terms of RFC 8176 and of the OpenID profile for authentication contexts. */
export interface Authentication {
  readonly acr?: string;
  readonly amr: readonly string[];
}

const factorMethods: Readonly<Record<GivenFactor, string>> = {
  code: 'otp',
  devicePasskey: 'hwk',
  syncedPasskey: 'swk',
};

export function authenticationBy({ method, factor }: Pick<UserActor, 'method' | 'factor'>): Authentication {
  const given = factor === null ? [] : [factorMethods[factor]];
  switch (method) {
    case 'password':
      return { amr: given.length === 0 ? ['pwd'] : ['pwd', ...given, 'mfa'] };
    case 'passkey':
      return { acr: 'phr', amr: [...given, 'user', 'mfa'] };
    case 'provider':
      return { amr: [] };
  }
}

/** What a browser or an application presents is stored as a hash, and every other part as it is. */
const identifier = 'jti';

/**
 * Stores one kind of state of the OpenID provider. A browser session lasts as long as the user's own session here, and
 * says when and how the user last proved who they are, even if that was later.
 */
export class StateStore {
  readonly #database: Database;
  readonly #kind: string;
  readonly #idleSeconds: number;

  constructor(database: Database, kind: string, idleSeconds: number) {
    this.#database = database;
    this.#kind = kind;
    this.#idleSeconds = idleSeconds;
  }

  async upsert(id: string, payload: StatePayload, lifetimeSeconds: number): Promise<void> {
    const { [identifier]: _, ...stored } = payload;
    await putState(this.#database.pool, {
      kind: this.#kind,
      idHash: hashSecret(id),
      payload: JSON.stringify(withoutSecrets(stored)),
      lifetimeSeconds,
      grantHash: hashOf(payload.grantId),
      uidHash: hashOf(payload.uid),
      userSerial: serialIn(payload.accountId) ?? null,
      applicationId: serialIn(payload.clientId) ?? null,
      sessionId: serialIn(payload.rollcallSession),
    });
  }

  async find(id: string): Promise<StatePayload | undefined> {
    const found = await findState(
      this.#database.pool,
      { kind: this.#kind, idHash: hashSecret(id) },
      this.#idleSeconds,
    );
    return found && { ...payloadOf(found, this.#kind), [identifier]: id };
  }

  /** Of a browser session, without what the browser presents. */
  async findByUid(uid: string): Promise<StatePayload | undefined> {
    const found = await findState(
      this.#database.pool,
      { kind: this.#kind, uidHash: hashSecret(uid) },
      this.#idleSeconds,
    );
    return found && payloadOf(found, this.#kind);
  }

  /** Returns false if it was consumed meanwhile. One of the two is a copy, so everything granted with it ends. */
  async consume(id: string): Promise<boolean> {
    const { pool } = this.#database;
    if (await consumeState(pool, this.#kind, hashSecret(id))) return true;
    const grantId = (await this.find(id))?.grantId;
    if (typeof grantId === 'string') await this.revokeByGrantId(grantId);
    return false;
  }

  async destroy(id: string): Promise<void> {
    const idHash = hashSecret(id);
    if (this.#kind === 'Grant') await deleteGrant(this.#database.pool, idHash);
    else await deleteState(this.#database.pool, this.#kind, idHash);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await deleteGrant(this.#database.pool, hashSecret(grantId));
  }
}

function payloadOf({ payload, consumedAt, provenAt, method, factor }: State, kind: string): StatePayload {
  return {
    ...(JSON.parse(payload) as StatePayload),
    ...(consumedAt ? { consumed: secondsOf(consumedAt) } : {}),
    ...(kind === 'Session' && provenAt && method
      ? { loginTs: secondsOf(provenAt), acr: undefined, ...authenticationBy({ method, factor }) }
      : {}),
  };
}

/** An interaction notes the browser session that it began with, and how the browser presents it. */
function withoutSecrets({ session, ...payload }: StatePayload): StatePayload {
  if (typeof session !== 'object' || session === null) return { ...payload };
  const { cookie: _, ...rest } = session as StatePayload;
  return { ...payload, session: rest };
}

function hashOf(id: unknown): string | null {
  return typeof id === 'string' ? hashSecret(id) : null;
}

function serialIn(id: unknown): string | undefined {
  return typeof id === 'string' && isSerial(id) ? id : undefined;
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1_000);
}
