import type { Hmac } from 'node:crypto';
import type { Database } from '../../storage/database.js';
import type { EncryptedSecret } from '../../storage/encrypted-secret.js';
import { NodeUnavailable } from '../outage.js';
import { SecretKey } from './secret-key.js';

/** For operations that store or read secrets. */
export interface SecretContext {
  readonly database: Database;
  readonly cipher: SecretCipher;
}

export interface SecretKeyOptions {
  /** Whether the operator configured the key, so that it is the same on all nodes. */
  readonly isConfigured?: boolean;
  /** Keys that the operator configured before. They only decrypt. */
  readonly previous?: readonly Buffer[];
  /** Keys that this node generated. They only decrypt. */
  readonly local?: readonly Buffer[];
}

/** Encrypts secrets that the service needs in plain text later, with a key that is not in the database. */
export class SecretCipher {
  readonly #current: SecretKey;
  readonly #keys: ReadonlyMap<string, SecretKey>;
  readonly isConfigured: boolean;
  /** The IDs of the keys that the operator configured. */
  readonly configuredKeyIds: readonly string[];

  constructor(key: Buffer, { isConfigured = false, previous = [], local = [] }: SecretKeyOptions = {}) {
    this.#current = new SecretKey(key);
    const configured = [this.#current, ...previous.map((each) => new SecretKey(each))];
    const all = [...configured, ...local.map((each) => new SecretKey(each))];
    this.#keys = new Map(all.map((each) => [each.id, each]));
    this.isConfigured = isConfigured;
    this.configuredKeyIds = isConfigured ? configured.map(({ id }) => id) : [];
  }

  /** The ID of the key that encrypts. */
  get keyId(): string {
    return this.#current.id;
  }

  /** The IDs of all keys that decrypt. Nodes skip what other keys encrypt. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  canDecrypt(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /**
   * Keyed digests, which cannot be brute-forced without the key: the current key's first, then those of earlier keys.
   */
  digesters(): Hmac[] {
    return [...this.#keys.values()].map((key) => key.digester());
  }

  /** A secret encrypted for one purpose, such as one delivery, cannot be decrypted for another. */
  encrypt(text: string, purpose: string): EncryptedSecret {
    return { bytes: this.#current.seal(text, purpose), keyId: this.#current.id };
  }

  /** Decrypts with whichever key encrypted it. */
  decrypt(bytes: Buffer, purpose: string): string {
    let problem: unknown;
    for (const key of this.#keys.values()) {
      try {
        return key.open(bytes, purpose);
      } catch (error) {
        problem = error;
      }
    }
    throw problem;
  }
}

/** A secret is encrypted with a key that this process does not have. */
export class SecretKeyMissing extends NodeUnavailable {
  override readonly name = 'SecretKeyMissing';
  readonly reason = 'this node is missing a secret key, which is named in its log';
  readonly keyId: string;

  constructor(keyId: string) {
    super(
      `the secret key ${keyId} is missing: set ROLLCALL_SECRET_KEY, or ROLLCALL_SECRET_KEY_PREVIOUS, to it`,
    );
    this.keyId = keyId;
  }
}
