import type { NoticeSubject } from '../../contract/enums.js';
import type { Executor } from '../../storage/database.js';
import { insertNotices } from '../../storage/delivery/user-deliveries.js';
import { getUser } from '../../storage/users/read-users.js';
import { type Caller, changeOrigin } from '../caller.js';
import { noticeTo } from '../users/update-consequences.js';

export interface FactorNoticeContext {
  /** Whether users are notified when how they sign in changes. */
  readonly changeNotices: boolean;
}

/** Tells a user about a change of their factors that somebody else may have made. */
export async function notifyOfFactor(
  { changeNotices }: FactorNoticeContext,
  tx: Executor,
  subject: NoticeSubject,
  userSerial: string,
  caller: Caller,
): Promise<void> {
  const user = changeNotices ? (await getUser(tx, userSerial))?.user : undefined;
  if (user) await insertNotices(tx, [noticeTo(user, [subject])], changeOrigin(caller));
}
