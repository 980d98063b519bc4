import type { Failure } from '../../contract/errors.js';
import { type NoticeChoices, noticesOfRole, topicsIn } from '../../contract/notices.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { readNoticeChoices, storeNoticeChoices } from '../../storage/delivery/notices.js';
import { getUser, lockUser } from '../../storage/users/read-users.js';
import type { UserActor } from '../caller.js';
import { missingUser } from '../missing-user.js';

/** Which notices a user gets, and where. */
export type OwnNotices =
  | { readonly ok: true; readonly topics: NoticeChoices; readonly email: string | null }
  | { readonly ok: false; readonly failure: Failure };

type Chooser = Pick<UserActor, 'id' | 'role'>;

export async function getNoticeChoices({ pool }: Database, user: Chooser): Promise<OwnNotices> {
  return choicesOf(pool, user);
}

/** Stores what the user has chosen, for every role that allows it. The other topics keep following the role. */
export async function setNoticeChoices(
  database: Database,
  user: Chooser,
  chosen: NoticeChoices,
): Promise<OwnNotices> {
  return transaction(database, async (tx): Promise<OwnNotices> => {
    if (!(await lockUser(tx, user.id))) return { ok: false, failure: await missingUser(tx, user.id) };
    await storeNoticeChoices(tx, user.id, chosen);
    return choicesOf(tx, user);
  });
}

async function choicesOf(executor: Executor, user: Chooser): Promise<OwnNotices> {
  const found = await getUser(executor, user.id);
  if (!found) return { ok: false, failure: await missingUser(executor, user.id) };
  const chosen = await readNoticeChoices(executor, user.id);
  const defaults = defaultsOf(user);
  const topics = topicsIn(defaults).map((topic) => [topic, chosen[topic] ?? defaults[topic]]);
  return { ok: true, topics: Object.fromEntries(topics), email: found.user.email };
}

function defaultsOf({ role }: Chooser): NoticeChoices {
  return role === null ? {} : noticesOfRole[role];
}
