import { randomInt } from 'node:crypto';
import { hash } from '@node-rs/argon2';

/** argon2id as OWASP recommends it: 19 MiB, two passes. 15 to 24 ms on one core, off the main thread. */
const argon2id = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A batch leaves threads of the pool (four by default) to the requests beside it. */
const batchConcurrency = 2;

export function hashPassword(password: string): Promise<string> {
  return hash(password, argon2id);
}

/** Hashes many passwords, a few at a time; the results are in the order of the passwords. */
export async function hashPasswords(passwords: readonly string[]): Promise<string[]> {
  const hashes: string[] = new Array(passwords.length);
  const queue = passwords.entries();
  const worker = async () => {
    for (const [index, password] of queue) hashes[index] = await hashPassword(password);
  };
  await Promise.all(Array.from({ length: batchConcurrency }, worker));
  return hashes;
}

/** Without characters that are read or typed for one another. */
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const generatedLength = 20;

/** About 116 bits. */
export function generatePassword(): string {
  return Array.from({ length: generatedLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}
