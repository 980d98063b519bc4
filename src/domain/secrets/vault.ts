import type { Hmac } from 'node:crypto';
import type { SealedSecret } from '../../storage/delivery/deliveries.js';
import { SecretKey } from './secret-key.js';

export interface VaultOptions {
  /** Whether the operator set the key, so that it is the same on all nodes. */
  readonly isConfigured?: boolean;
  /** Keys that the operator has set before. They open what they have sealed, and seal nothing new. */
  readonly previous?: readonly Buffer[];
  /** The same of keys that this node made for itself. */
  readonly local?: readonly Buffer[];
}

/** Keeps secrets that the service has to know in clear later, encrypted with a key that is not in the database. */
export class Vault {
  readonly #current: SecretKey;
  readonly #keys: ReadonlyMap<string, SecretKey>;
  readonly isConfigured: boolean;
  /** Of the keys that the operator has set. */
  readonly configuredKeyIds: readonly string[];

  constructor(key: Buffer, { isConfigured = false, previous = [], local = [] }: VaultOptions = {}) {
    this.#current = new SecretKey(key);
    const configured = [this.#current, ...previous.map((each) => new SecretKey(each))];
    const all = [...configured, ...local.map((each) => new SecretKey(each))];
    this.#keys = new Map(all.map((each) => [each.id, each]));
    this.isConfigured = isConfigured;
    this.configuredKeyIds = isConfigured ? configured.map(({ id }) => id) : [];
  }

  /** Of the key that seals. */
  get keyId(): string {
    return this.#current.id;
  }

  /** Of all keys that open: nodes leave alone what another key has sealed. */
  get keyIds(): readonly string[] {
    return [...this.#keys.keys()];
  }

  canOpen(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** Make digests that nobody can try guesses on without a key: the current one's first, then those of earlier keys. */
  digesters(): Hmac[] {
    return [...this.#keys.values()].map((key) => key.digester());
  }

  /** What is sealed for one purpose, such as one delivery, cannot be opened for another. */
  seal(text: string, purpose: string): SealedSecret {
    return { bytes: this.#current.seal(text, purpose), keyId: this.#current.id };
  }

  /** With whichever of the keys has sealed it. */
  open(bytes: Buffer, purpose: string): string {
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

/** Something is encrypted with a key that this process does not have. */
export class SecretKeyMissing extends Error {
  override readonly name = 'SecretKeyMissing';
  readonly keyId: string;

  constructor(keyId: string) {
    super(
      `the secret key ${keyId} is missing: set ROLLCALL_SECRET_KEY, or ROLLCALL_SECRET_KEY_PREVIOUS, to it`,
    );
    this.keyId = keyId;
  }
}
