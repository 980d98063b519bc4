import { noteSessionUseById } from '../../storage/access/sessions.js';
import type { Executor } from '../../storage/database.js';
import { type ApplicationClient, getApplicationClient } from '../../storage/openid/applications.js';
import { findMember } from '../../storage/openid/members.js';
import { recordAccess } from '../audit/access-event.js';
import type { Sender } from '../caller.js';
import { isSerial } from '../serial.js';
import { claimsOf } from './claims.js';

export type { ApplicationClient };

/** Undefined if it is disabled, too. Anyone may send anything as an ID. */
export async function findApplicationClient(
  executor: Executor,
  id: string,
): Promise<ApplicationClient | undefined> {
  return isSerial(id) ? getApplicationClient(executor, id) : undefined;
}

export interface Membership {
  readonly userSerial: string;
  readonly applicationId: string;
}

/** A user, as an application knows them. */
export interface Account {
  readonly accountId: string;
  claims(): Promise<object>;
}

/** Undefined if the user may not sign in to the application, or not anymore. */
export async function findAccount(
  executor: Executor,
  { userSerial, applicationId }: { readonly [Name in keyof Membership]: string | undefined },
): Promise<Account | undefined> {
  if (userSerial === undefined || !isSerial(userSerial)) return undefined;
  const application = applicationId && (await findApplicationClient(executor, applicationId));
  if (!application) return undefined;
  const member = await findMember(executor, { userSerial, applicationId: application.id });
  return member && { accountId: member.serial, claims: async () => claimsOf(executor, member, application) };
}

export interface GrantUse {
  readonly isNew: boolean;
  readonly sessionId: string | undefined;
  /** Whether a program asks by itself whether the user is still signed in. */
  readonly isUnattended: boolean;
}

/** Signing in to an application is a use of the session, and the first time is recorded. */
export async function noteGranted(
  executor: Executor,
  { isNew, sessionId, isUnattended }: GrantUse,
  { userSerial, applicationId }: Membership,
  sender: Sender | undefined,
): Promise<void> {
  if (sessionId !== undefined && !isUnattended) await noteSessionUseById(executor, sessionId);
  if (!isNew) return;
  await recordAccess(executor, 'application.signed-in', sender ?? {}, {
    userSerial,
    detail: { applicationId },
  });
}
