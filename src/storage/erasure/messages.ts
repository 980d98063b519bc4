import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';

/** Keeps that there were messages, but not their addresses, passwords and errors. Nothing is sent anymore. */
export async function eraseMessages(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-messages',
    text: `UPDATE deliveries SET state = CASE WHEN state = 'sent' THEN state ELSE 'cancelled' END,
             to_email = NULL, to_phone = NULL, last_error = NULL, secret = NULL, secret_key_id = NULL
           WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
}

/** Which of these messages were for users who have been erased. */
export async function messagesOfErased(executor: Executor, ids: readonly string[]): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>({
    name: 'messages-of-erased',
    text: `SELECT id FROM deliveries JOIN erased_users ON serial = user_serial WHERE id = ANY ($1::uuid[])`,
    values: [plainArray(ids)],
  });
  return rows.map(({ id }) => id);
}
