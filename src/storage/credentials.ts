import type { Executor } from './database.js';
import { plainArray, textArray } from './sql-arrays.js';

export interface InitialPassword {
  readonly userSerial: string;
  readonly passwordHash: string;
}

export async function insertInitialPasswords(
  tx: Executor,
  passwords: readonly InitialPassword[],
): Promise<void> {
  await tx.query({
    name: 'insert-initial-passwords',
    text: `INSERT INTO credentials (user_serial, password_hash, must_change)
           SELECT user_serial, password_hash, true FROM unnest($1::uuid[], $2::text[]) AS new (user_serial, password_hash)`,
    values: [
      plainArray(passwords.map((password) => password.userSerial)),
      textArray(passwords.map((password) => password.passwordHash)),
    ],
  });
}
