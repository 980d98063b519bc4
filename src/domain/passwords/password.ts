import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { NodeUnavailable } from '../outage.js';
import { isTooLong, normalized } from './password-rules.js';

export interface HashingOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** How many run in parallel; 0 means one per core, but no more than libuv's default number of threads. */
  readonly concurrency: number;
  readonly waitingMax: number;
  /** Called with the time that a password waited, in ms. */
  readonly onWaited?: ((ms: number) => void) | undefined;
}

/** The queue of passwords to hash is full. */
export class HashingBusy extends NodeUnavailable {
  override readonly name = 'HashingBusy';
  readonly reason = 'too many passwords are being checked or set at the moment';
}

const threadsByDefault = 4;

/**
 * Runs argon2id off the main thread, a few at a time: memory stays bounded, and work beyond the queue is rejected
 * rather than left to time out. Counts every hash.
 */
export class PasswordHasher {
  readonly #argon2id: { algorithm: 2; memoryCost: number; timeCost: number; parallelism: number };
  readonly #concurrency: number;
  readonly #waitingMax: number;
  readonly #onWaited: ((ms: number) => void) | undefined;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #done = 0;
  /** Compared against if there is no hash. */
  readonly #nobodys: Promise<string>;

  constructor({ memoryKib, passes, concurrency, waitingMax, onWaited }: HashingOptions) {
    this.#argon2id = { algorithm: 2, memoryCost: memoryKib, timeCost: passes, parallelism: 1 };
    this.#concurrency = concurrency || Math.min(availableParallelism(), threadsByDefault);
    this.#waitingMax = waitingMax;
    this.#onWaited = onWaited;
    this.#nobodys = hash(generatePassword(), this.#argon2id);
    this.#nobodys.catch(() => {}); // callers that need it see the error
  }

  /** How many hashes were computed so far, to store or to compare a password. */
  get hashesDone(): number {
    return this.#done;
  }

  /** How many are being hashed now, and how many wait. */
  get queue(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting.length };
  }

  hash(password: string): Promise<string> {
    return this.#queued(() => hash(normalized(password), this.#argon2id));
  }

  /** Hashes many passwords and lets other requests through in between. Results are in the order of the passwords. */
  async hashAll(passwords: readonly string[]): Promise<string[]> {
    const hashes: string[] = new Array(passwords.length);
    const queue = passwords.entries();
    const worker = async () => {
      for (const [index, password] of queue) hashes[index] = await this.hash(password);
    };
    await Promise.all(Array.from({ length: this.#concurrency }, worker));
    return hashes;
  }

  /**
   * Whether the password matches the hash. Without a hash, it is compared with a dummy: the same work, so that timing
   * does not reveal whether there is one. The same applies to texts too long for a password.
   */
  async matches(password: string, known: string | undefined): Promise<boolean> {
    const possible = isTooLong(password) ? undefined : normalized(password);
    const against = known ?? (await this.#nobodys);
    const isRight = await this.#queued(() => verify(against, possible ?? ''));
    return isRight && known !== undefined && possible !== undefined;
  }

  /** Whether a hash was made with other than the current parameters. */
  isOutdated(known: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#argon2id;
    return !known.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    if (this.#running >= this.#concurrency) {
      if (this.#waiting.length >= this.#waitingMax) throw new HashingBusy('too many passwords to hash');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    this.#onWaited?.(performance.now() - start);
    try {
      this.#done++;
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The slot is handed over directly, so that no other request can take it in between.
      if (next) next();
      else this.#running--;
    }
  }
}

/** Without characters that are easily confused. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generatedLength = 23;

/** 133 bits: at least the 128 that OWASP ASVS requires of a secret. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}
