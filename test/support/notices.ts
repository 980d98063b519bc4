import { type Notice, type NoticeContext, queueNotice } from '../../src/domain/notices/notices.js';
import { type Executor, transaction } from '../../src/storage/database.js';
import type { TestService } from './service.js';

export interface StoredNotice {
  readonly id: string;
  readonly userSerial: string | null;
  readonly topic: string;
  readonly channel: string;
  readonly state: string;
  readonly attempts: number;
  readonly more: number;
  readonly lastError: string | null;
  readonly secret: Buffer | null;
}

/** Notices whose facts contain a text, such as the ID of a call, in the order in which they were queued. */
export async function noticesAbout({ database }: TestService, text: string): Promise<StoredNotice[]> {
  const { rows } = await database.pool.query<StoredNotice>(
    `SELECT id, user_serial AS "userSerial", topic, channel, state, attempts, more, last_error AS "lastError", secret
     FROM notices WHERE facts::text LIKE '%' || $1 || '%' ORDER BY id`,
    [text],
  );
  return rows;
}

/** Queues notices in one transaction, as if the service had caused them. */
export async function givenNotices(
  { context, database }: TestService,
  notices: readonly Notice[],
  settings: Partial<NoticeContext> = {},
  then: (tx: Executor) => Promise<unknown> = async () => {},
): Promise<void> {
  await transaction(database, async (tx) => {
    for (const notice of notices) await queueNotice({ ...context, ...settings }, tx, notice);
    await then(tx);
  });
}
