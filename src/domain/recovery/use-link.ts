import { type Failure, failure } from '../../contract/errors.js';
import { getLogin, type Login, putPassword } from '../../storage/access/credentials.js';
import { getPasswordLinkUser, takePasswordLink } from '../../storage/access/password-links.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { type Executor, transaction } from '../../storage/database.js';
import { cancelPasswordsOf, insertNotices } from '../../storage/delivery/user-deliveries.js';
import { lockUser } from '../../storage/users/read-users.js';
import type { ChangePasswordContext } from '../access/change-password.js';
import { localSignInProblem } from '../access/local-sign-in.js';
import { signInNameOf } from '../access/sign-in.js';
import { forgetFailuresOf } from '../access/sign-in-guard.js';
import { recordAccess } from '../audit/access-event.js';
import type { Sender } from '../caller.js';
import { chosenPasswordProblem } from '../passwords/password-rules.js';
import { noticeTo } from '../users/update-consequences.js';
import { hashOfLink, isLinkToken } from './password-link.js';
import type { RecoveryContext } from './request-link.js';

export interface UseLinkContext extends ChangePasswordContext, RecoveryContext {}

export type LinkUsed = { readonly ok: true } | { readonly ok: false; readonly failure: Failure };

/** Whether a link can still be used, so that its page can say so before anybody has chosen a password. */
export async function checkPasswordLink(context: UseLinkContext, token: string): Promise<LinkUsed> {
  const found = await findLink(context, token);
  return found.ok ? { ok: true } : found;
}

/** Whoever has the link chooses a new password. A password that is refused leaves the link as it is. */
export async function resetPasswordWithLink(
  context: UseLinkContext,
  { token, newPassword }: { readonly token: string; readonly newPassword: string },
  sender: Sender,
): Promise<LinkUsed> {
  const { database, passwords, companyNames, isCommonPassword } = context;
  const found = await findLink(context, token);
  const words = { ...(found.ok ? found.login : nobody), companyNames };
  const problem = chosenPasswordProblem(newPassword, words, isCommonPassword);
  if (problem) {
    const { text, ...data } = problem;
    return { ok: false, failure: failure('ACCESS_PASSWORD_REFUSED', `The new password ${text}`, data) };
  }
  if (!found.ok) return found;
  const { login, tokenHash } = found;
  const passwordHash = await passwords.hash(newPassword);
  const isReplaced = await transaction(database, (tx) =>
    replaceWithLink(tx, { serial: login.serial, tokenHash, passwordHash }, context, sender),
  );
  return isReplaced ? { ok: true } : { ok: false, failure: linkInvalid };
}

const nobody = { username: null, employeeID: 'nobody', email: null };

type FoundLink =
  | { readonly ok: true; readonly login: Login; readonly tokenHash: Buffer }
  | { readonly ok: false; readonly failure: Failure };

async function findLink(context: UseLinkContext, token: string): Promise<FoundLink> {
  const { pool } = context.database;
  const tokenHash = hashOfLink(token);
  const serial = isLinkToken(token) ? await getPasswordLinkUser(pool, tokenHash) : undefined;
  const login = serial === undefined ? undefined : await getLogin(pool, serial);
  if (!login) return { ok: false, failure: linkInvalid };
  const notAllowed = await localSignInProblem(context, login.serial);
  return notAllowed ? { ok: false, failure: notAllowed } : { ok: true, login, tokenHash };
}

interface Replacement {
  readonly serial: string;
  readonly tokenHash: Buffer;
  readonly passwordHash: string;
}

/** False if somebody else has used the link meanwhile. Second factors stay. */
async function replaceWithLink(
  tx: Executor,
  { serial, tokenHash, passwordHash }: Replacement,
  { changeNotices }: Pick<UseLinkContext, 'changeNotices'>,
  sender: Sender,
): Promise<boolean> {
  const user = await lockUser(tx, serial);
  if (!user?.isActive || !(await takePasswordLink(tx, tokenHash))) return false;
  // Lock order: deliveries before passwords, as in the sender.
  await cancelPasswordsOf(tx, [serial]);
  await putPassword(tx, { userSerial: serial, passwordHash });
  await deleteSessionsOf(tx, [serial]);
  const signInName = await signInNameOf(tx, user);
  await forgetFailuresOf(tx, [{ serial, names: signInName === null ? [] : [signInName] }]);
  if (changeNotices) {
    const origin = { requestId: sender.requestId, actor: null };
    await insertNotices(tx, [noticeTo(user, ['password'])], origin);
  }
  await recordAccess(tx, 'password.recovered', sender, { userSerial: serial });
  return true;
}

const linkInvalid = failure(
  'ACCESS_PASSWORD_LINK_INVALID',
  'This link has expired, was used, or was replaced by a newer one. Request another one on the sign-in page.',
);
