import { withoutManager } from '../../scim/stored-data.js';
import { eraseAccessEvents } from '../../storage/access/access-events.js';
import type { ChangeOrigin } from '../../storage/changes/changes.js';
import { forgetFilters, plannedFilters } from '../../storage/changes/planned-calls.js';
import type { Executor } from '../../storage/database.js';
import { eraseMessages } from '../../storage/delivery/deliveries.js';
import { eraseNotices } from '../../storage/delivery/notices.js';
import { eraseWebhookResponses } from '../../storage/delivery/webhook-deliveries.js';
import {
  eraseFormerNames,
  eraseReleasedNames,
  rememberReleasedNames,
} from '../../storage/erasure/erased-users.js';
import {
  eraseLoggedValues,
  keepStatusCounts,
  rewriteLoggedData,
} from '../../storage/erasure/logged-values.js';
import { deleteFile, listStoredFiles } from '../../storage/feeds/feed-files.js';
import { eraseFeedRows } from '../../storage/feeds/feed-rows.js';
import { forgetInactiveUsers } from '../../storage/indexing/inactive-users.js';
import { indexAttributes } from '../../storage/indexing/index-attributes.js';
import { pauseIndexing } from '../../storage/indexing/index-state.js';
import { eraseGroupMembers } from '../../storage/scim/groups.js';
import { usersManagedBy } from '../../storage/scim/references.js';
import { deleteUsers, lockUsers, readUsers } from '../../storage/users/read-users.js';
import { runUpdate, updateStatement } from '../../storage/users/update-users.js';
import { allViewQueries, deleteViews } from '../../storage/users/views.js';
import { forgetFailuresOf } from '../access/sign-in-guard.js';
import { mayMention } from '../feeds/file-mentions.js';
import { indexUsers } from '../indexing/index-users.js';
import { eraseOutcomes } from './stored-outcomes.js';
import { textsMeaning, type UserToErase } from './user-to-erase.js';
import { isViewAbout } from './view-mentions.js';

/** Removes the data about these users from one place, within the transaction that erases them. */
type Place = (tx: Executor, users: readonly UserToErase[], origin: ChangeOrigin) => Promise<void>;

const serialsOf = (users: readonly UserToErase[]) => users.map(({ serial }) => serial);

const bySerial =
  (erase: (tx: Executor, serials: readonly string[]) => Promise<void>): Place =>
  (tx, users) =>
    erase(tx, serialsOf(users));

/**
 * Every place that knows something about a user. A test looks for the data of erased users in all tables, so a new
 * table with personal data needs an entry here. Messages come before users: the lock order.
 */
export const places: readonly Place[] = [
  bySerial(eraseMessages),
  bySerial(eraseNotices),
  (tx, users) => eraseWebhookResponses(tx, serialsOf(users), textsMeaning(users)),
  // Before their names are gone: the quarantine goes on.
  bySerial(rememberReleasedNames),
  // Before it is forgotten who was active: only numbers remain.
  bySerial(keepStatusCounts),
  // Before their names are gone.
  eraseFromViews,
  // Names become free here. Passwords, factors, sessions, codes, links, roles, the language, the choice of notices, own views and the
  // first sign-in are deleted with the user.
  bySerial(deleteUsers),
  bySerial(eraseLoggedValues),
  bySerial(eraseFormerNames),
  bySerial(eraseAccessEvents),
  forgetFailuresOf,
  (tx, users) => eraseReleasedNames(tx, namesOf(users)),
  (tx, users) => eraseGroupMembers(tx, textsMeaning(users)),
  eraseUnresolvedManagers,
  eraseOutcomes,
  eraseFromFeeds,
  eraseFromIndex,
];

/**
 * A manager who is unknown is stored as the provider has sent it. The users who have such a manager get a new version, so
 * that a request that has read them before cannot bring it back.
 */
async function eraseUnresolvedManagers(
  tx: Executor,
  users: readonly UserToErase[],
  origin: ChangeOrigin,
): Promise<void> {
  const texts = new Set(textsMeaning(users).map((text) => text.toLowerCase()));
  const { managed, reports } = await usersManagedBy(tx, [...texts], users);
  const locked = await lockUsers(tx, { employeeIDs: [], usernames: [], serials: managed });
  const updates = locked.map((user) => ({
    user: { ...user, scim: withoutManager(user.scim, texts) },
    changes: { scim: { before: null, after: null } },
  }));
  if (updates.length > 0) {
    await runUpdate(tx, updateStatement(updates, new Set(['scim']), { ...origin, callId: null }));
  }
  await rewriteLoggedData(tx, [...managed, ...reports], (stored) => withoutManager(stored, texts));
}

/** Their own views are deleted with them. Those that others have saved about them are deleted here, and so are the filters of planned calls. */
async function eraseFromViews(tx: Executor, users: readonly UserToErase[]): Promise<void> {
  const serials = users.map(({ serial }) => serial);
  const stored = await readUsers(tx, { employeeIDs: [], usernames: [], serials });
  const names = stored.map(({ name }) => name.toLowerCase());
  const texts = new Set(textsMeaning(users).map((text) => text.toLowerCase()));
  const isAbout = ({ query }: { readonly query: string }) => isViewAbout(query, { texts, names });
  const planned = (await plannedFilters(tx)).filter(isAbout);
  if (planned.length > 0)
    await forgetFilters(
      tx,
      planned.map(({ id }) => id),
    );
  const about = (await allViewQueries(tx)).filter(isAbout);
  if (about.length > 0)
    await deleteViews(
      tx,
      about.map(({ id }) => id),
    );
}

/** Files can't be changed, so those that mention the users are deleted. */
async function eraseFromFeeds(tx: Executor, users: readonly UserToErase[]): Promise<void> {
  const names = namesOf(users);
  const serials = users.map(({ serial }) => serial);
  await eraseFeedRows(tx, serials, names);
  for (const { runId, mentions } of await listStoredFiles(tx)) {
    if (mayMention(mentions, names)) await deleteFile(tx, runId);
  }
}

/** The indexer could be writing them at this moment, so it waits. */
async function eraseFromIndex(tx: Executor, users: readonly UserToErase[]): Promise<void> {
  const serials = users.map(({ serial }) => serial);
  await pauseIndexing(tx);
  await indexUsers(tx, serials);
  await indexAttributes(tx, serials);
  await forgetInactiveUsers(tx, serials);
}

function namesOf(users: readonly UserToErase[]): string[] {
  return users.flatMap(({ names }) => names);
}
