import type { NoticeSubject } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql-arrays.js';
import type { Requester } from './insert-deliveries.js';

/** Informs a user, at the address from before the change, what was changed on the account. */
export interface NewNotice {
  readonly id: string;
  readonly userSerial: string;
  readonly changed: readonly NoticeSubject[];
  readonly to: { readonly email: string | null; readonly phone: string | null };
  /** Inactive users are notified only if they have a password, because then they may have used the account. */
  readonly isActive: boolean;
}

/** Lowest priority: passwords never wait for notices. */
const noticePriority = 2;

/** Inserts any number of notices in one statement. */
export async function insertNotices(
  tx: Executor,
  notices: readonly NewNotice[],
  origin: { readonly requestId: string | null; readonly actor: Requester | null },
): Promise<void> {
  await tx.query({
    name: 'insert-notices',
    text: `INSERT INTO deliveries (id, user_serial, changed, to_email, to_phone, kind, state, priority, request_id,
                                   actor_kind, actor_id)
           SELECT id, user_serial, changed, to_email, to_phone, 'account-changed', 'waiting', ${noticePriority}, $6, $7, $8
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $9::boolean[])
             AS new (id, user_serial, changed, to_email, to_phone, is_active)
           WHERE is_active OR EXISTS (SELECT FROM credentials WHERE credentials.user_serial = new.user_serial)`,
    values: [
      plainArray(notices.map(({ id }) => id)),
      plainArray(notices.map(({ userSerial }) => userSerial)),
      textArray(notices.map(({ changed }) => changed.join(' '))),
      textArray(notices.map(({ to }) => to.email)),
      textArray(notices.map(({ to }) => to.phone)),
      origin.requestId,
      origin.actor?.kind ?? null,
      origin.actor?.id ?? null,
      plainArray(notices.map(({ isActive }) => isActive)),
    ],
  });
}
