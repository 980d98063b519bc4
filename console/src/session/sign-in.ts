import { createClient, type ReplyBody } from '@rollcall/client';
import { queryClient, rollcall } from './api.js';
import type { PasskeyAssertion } from './passkeys.js';
import { clearSession, getSession, restrictionOf, type Session, startSession } from './session.js';
import { whenSignedOut, workDatabase } from './signed-out.js';

const anonymous = createClient({ baseUrl: '' });

export async function signIn(signInName: string, password: string): Promise<void> {
  const { body } = await anonymous.call('openSession', { body: { username: signInName, password } });
  if (body.data.mustChangePassword) rememberPasswordToReplace(password);
  await begin(body.data, signInName);
}

/** With a passkey of whoever chooses one, also in the middle of a sign-in with a password. */
export async function signInWithPasskey(assertion: PasskeyAssertion): Promise<void> {
  const { body } = await anonymous.call('openSessionWithPasskey', { body: { passkey: assertion } });
  const state = getSession();
  const isOther = state.kind !== 'none' && state.session.serial !== body.data.serial;
  await begin(body.data, null);
  if (isOther) location.assign('/'); // what is on the page is not theirs
}

type Opened = ReplyBody<'openSession'>['data'];

async function begin(opened: Opened, signInName: string | null): Promise<void> {
  const { sessionId: id, method, serial, role, scopes, mustChangePassword, secondFactor } = opened;
  const session: Session = {
    ...{ id, serial, signInName, name: null, role, scopes, method, mustChangePassword, secondFactor },
  };
  startSession(session);
  forgetExpiredWork();
  if (!restrictionOf(getSession())) await enter();
}

/** Nothing is missing any more: loads what the session may see. */
async function enter(): Promise<void> {
  await refreshProfile();
  await queryClient.invalidateQueries();
}

export async function giveCode(code: string): Promise<void> {
  await rollcall.call('giveFactor', { body: { code } });
  await completeFactor();
}

/** The session has its second factor. */
export async function completeFactor(): Promise<void> {
  const state = getSession();
  if (state.kind !== 'active') return;
  startSession({ ...state.session, secondFactor: 'none' });
  if (!state.session.mustChangePassword) await enter();
}

/** Needed rarely, so it isn't part of the first load. Some browsers keep nothing in private windows. */
export function forgetExpiredWork(): void {
  void import('./kept-work.js').then((work) => work.forgetExpiredWork()).catch(() => {});
}

/** Loads the name and the scopes, which may have changed since the sign-in. */
export async function refreshProfile(): Promise<void> {
  const state = getSession();
  if (state.kind !== 'active') return;
  const me = await rollcall.call('getMe', {}).catch(() => undefined);
  const now = getSession();
  if (!me || now.kind !== 'active' || now.session.id !== state.session.id) return; // signed out in the meantime
  const { name, username, employeeID, role, scopes, method, secondFactor } = me.body.data;
  const signInName = username ?? employeeID;
  startSession({ ...now.session, name, signInName, role, scopes, method, secondFactor });
}

/** The ID of a session that the user has ended, in any tab. */
const signOuts = new BroadcastChannel('rollcall.sign-out');
signOuts.addEventListener('message', ({ data: id }) => {
  const state = getSession();
  if (state.kind !== 'none' && state.session.id === id) clearSession();
});

whenSignedOut(forgetPasswordToReplace);
whenSignedOut(() => queryClient.clear());

export async function signOut(): Promise<void> {
  const state = getSession();
  const reply = await rollcall.call('signOut', {}).catch(() => undefined); // the session expires anyway
  if (state.kind !== 'none') signOuts.postMessage(state.session.id);
  indexedDB.deleteDatabase(workDatabase);
  clearSession();
  const url = reply?.body.data.providerSignOutUrl;
  if (url) location.assign(url);
}

export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await rollcall.call('changePassword', { body: { currentPassword, newPassword } });
  forgetPasswordToReplace();
  const state = getSession();
  if (state.kind !== 'active') return;
  startSession({ ...state.session, mustChangePassword: false });
  await refreshProfile();
}

/** The password that the user has signed in with and must replace. It is only kept in memory, and only until then. */
let kept: string | undefined;

function rememberPasswordToReplace(typed: string): void {
  kept = typed;
}

export function passwordToReplace(): string | undefined {
  return kept;
}

export function forgetPasswordToReplace(): void {
  kept = undefined;
}
