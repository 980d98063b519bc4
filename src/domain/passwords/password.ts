import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { isTooLong, normalised } from './password-rules.js';

export interface HashingOptions {
  readonly memoryKib: number;
  readonly passes: number;
  /** How many at the same time; 0 for as many as there are cores, but no more than libuv has threads by default. */
  readonly concurrency: number;
  readonly waitingMax: number;
}

/** So many passwords wait to be hashed that one more would wait too long. */
export class HashingBusy extends Error {
  override readonly name = 'HashingBusy';
}

const threadsByDefault = 4;

/**
 * argon2id off the main thread, a few at a time: memory stays bounded, and what comes beyond the queue is refused
 * rather than left to time out. Every hash is counted.
 */
export class PasswordHasher {
  readonly #argon2id: { algorithm: 2; memoryCost: number; timeCost: number; parallelism: number };
  readonly #concurrency: number;
  readonly #waitingMax: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #done = 0;
  /** What a password is compared with where there is none. */
  readonly #nobodys: Promise<string>;

  constructor({ memoryKib, passes, concurrency, waitingMax }: HashingOptions) {
    this.#argon2id = { algorithm: 2, memoryCost: memoryKib, timeCost: passes, parallelism: 1 };
    this.#concurrency = concurrency || Math.min(availableParallelism(), threadsByDefault);
    this.#waitingMax = waitingMax;
    this.#nobodys = hash(generatePassword(), this.#argon2id);
    this.#nobodys.catch(() => {}); // Whoever needs it sees the error.
  }

  /** How many passwords were hashed so far, to be stored or to be compared. */
  get hashesDone(): number {
    return this.#done;
  }

  hash(password: string): Promise<string> {
    return this.#queued(() => hash(normalised(password), this.#argon2id));
  }

  /** Hashes many passwords and leaves room for others in between; the results are in the order of the passwords. */
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
   * Whether the password is the one of this hash. Without a hash it is compared with nobody's: as much work, so that
   * the time does not tell whether there is one. So is a text that is too long for a password.
   */
  async matches(password: string, known: string | undefined): Promise<boolean> {
    const possible = isTooLong(password) ? undefined : normalised(password);
    const against = known ?? (await this.#nobodys);
    const isRight = await this.#queued(() => verify(against, possible ?? ''));
    return isRight && known !== undefined && possible !== undefined;
  }

  /** Whether a hash was made with other parameters than the present ones. */
  isOutdated(known: string): boolean {
    const { memoryCost, timeCost, parallelism } = this.#argon2id;
    return !known.startsWith(`$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$`);
  }

  async #queued<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrency) {
      if (this.#waiting.length >= this.#waitingMax) throw new HashingBusy('too many passwords to hash');
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running++;
    }
    try {
      this.#done++;
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The turn is handed on as it is: nobody can slip in between.
      if (next) next();
      else this.#running--;
    }
  }
}

/** Without characters that are read or typed for one another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generatedLength = 23;

/** 133 bits: at least the 128 that OWASP ASVS asks of a secret. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}
