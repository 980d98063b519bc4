import type { NoticeSubject } from '../../contract/enums.js';
import type { StoredUser } from '../../contract/users.js';
import { insertAccessEvents, type NewAccessEvent } from '../../storage/access/access-events.js';
import { deleteRoles } from '../../storage/access/roles.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import type { ChangeOrigin } from '../../storage/changes/changes.js';
import type { Executor } from '../../storage/database.js';
import {
  holdRedirectedDeliveries,
  insertNotices,
  type NewNotice,
  wakeDeliveriesOf,
} from '../../storage/delivery/user-deliveries.js';
import { allDone } from '../all-done.js';
import { accessEvent } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { newId } from '../serial.js';
import { mayAdminister } from './administrators.js';
import { changesSignIn } from './plans/protected-users.js';
import type { StatusChanges, Update, Updates } from './plans/updates.js';

/** The author of a change: as written to the change log, and as the caller of the request. */
export interface Author {
  readonly origin: ChangeOrigin;
  readonly caller: Caller;
  /** Whether the request asks for notices to the users; undefined if it leaves that to the settings. */
  readonly notify?: boolean | undefined;
}

export interface NoticeSettings {
  /** Whether users are notified when their email, username, password, second factors or role change. */
  readonly changeNotices: boolean;
  /** Whether bulk calls notify users as well, unless they say otherwise. */
  readonly bulkChangeNotices: boolean;
}

/** What follows from updates, within the same transaction. */
export interface Consequences {
  readonly origin: ChangeOrigin;
  readonly status: StatusChanges;
  /** For users who lose their role. */
  readonly lostRoles: readonly NewAccessEvent[];
  /** Users whose password destination was changed by a caller without permission to reset passwords. */
  readonly redirected: readonly string[];
  readonly notices: readonly NewNotice[];
}

export function consequencesOf(
  { changeNotices, bulkChangeNotices }: NoticeSettings,
  { changed, changedFields, status, readdressed }: Updates,
  { origin, caller, notify = origin.callId === null || bulkChangeNotices }: Author,
): Consequences {
  const lostRoles =
    status.deactivated.length === 0 ? [] : changed.flatMap((update) => lostRoleOf(update, caller));
  const isNoticed = (['email', 'username', 'signInName'] as const).some((field) => changedFields.has(field));
  return {
    origin,
    status,
    lostRoles,
    redirected: mayAdminister(caller) ? [] : readdressed,
    // A bulk call may change thousands of usernames. Few users have a role, and they learn of its loss in any case.
    notices:
      changeNotices && ((notify && isNoticed) || lostRoles.length > 0)
        ? changed.filter(({ lostRole }) => notify || lostRole !== undefined).flatMap(noticeOf)
        : [],
  };
}

function lostRoleOf({ after, lostRole }: Update, caller: Caller): NewAccessEvent[] {
  if (lostRole === undefined) return [];
  const detail = { before: lostRole, after: null, cause: 'deactivated' };
  return [accessEvent('role.changed', caller, { userSerial: after.serial, detail })];
}

/** Also sent if the user is inactive or being deactivated; otherwise two calls could avoid the notice. */
function noticeOf({ before, after, lostRole }: Update): NewNotice[] {
  const changed: NoticeSubject[] = [];
  if (before.email !== after.email) changed.push('email');
  if (changesSignIn(before, after)) changed.push('username');
  if (lostRole !== undefined) changed.push('role');
  return changed.length === 0 ? [] : [noticeTo(before, changed)];
}

/** Uses the contact details from before the change, because the new address may have been chosen by an attacker. */
export function noticeTo(
  before: Pick<StoredUser, 'serial' | 'email' | 'phone' | 'isActive'>,
  changed: readonly NoticeSubject[],
): NewNotice {
  const { serial, email, phone, isActive } = before;
  const to = { email, phone: email === null ? phone : null };
  return { id: newId(), userSerial: serial, changed, to, isActive };
}

/**
 * Holds deliveries before waking others: a message that waits for its user to become active must not go to a new
 * address.
 */
export async function applyConsequences(tx: Executor, consequences: Consequences): Promise<void> {
  const { origin, status, lostRoles, redirected, notices } = consequences;
  const done: Promise<unknown>[] = [];
  if (redirected.length > 0 && origin.actor)
    done.push(holdRedirectedDeliveries(tx, redirected, origin.actor));
  if (lostRoles.length > 0) {
    const serials = lostRoles.flatMap(({ userSerial }) => userSerial ?? []);
    done.push(deleteRoles(tx, serials), insertAccessEvents(tx, lostRoles));
  }
  if (status.deactivated.length > 0) done.push(deleteSessionsOf(tx, status.deactivated));
  if (status.activated.length > 0) done.push(wakeDeliveriesOf(tx, status.activated));
  if (notices.length > 0) done.push(insertNotices(tx, notices, origin));
  await allDone(done);
}
