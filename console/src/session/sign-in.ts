import { createClient } from '@rollcall/client';
import { queryClient, rollcall } from './api.js';
import { clearSession, getSession, type Session, startSession } from './session.js';

const anonymous = createClient({ baseUrl: '' });

export async function signIn(signInName: string, password: string): Promise<void> {
  const { body } = await anonymous.call('signIn', { body: { username: signInName, password } });
  const { accessToken: token, serial, role, scopes, mustChangePassword } = body.data;
  const session: Session = { token, serial, signInName, name: null, role, scopes, mustChangePassword };
  startSession(session);
  if (!mustChangePassword) await refreshProfile();
  await queryClient.invalidateQueries();
}

/** Loads the name and the scopes, which may have changed since the sign-in. */
export async function refreshProfile(): Promise<void> {
  const state = getSession();
  if (state.kind !== 'active') return;
  const me = await rollcall.call('getMe', {}).catch(() => undefined);
  const now = getSession();
  if (!me || now.kind !== 'active' || now.session.token !== state.session.token) return; // signed out in the meantime
  const { name, username, employeeID, role, scopes } = me.body.data;
  startSession({ ...now.session, name, signInName: username ?? employeeID, role, scopes });
}

export async function signOut(): Promise<void> {
  await rollcall.call('signOut', {}).catch(() => {}); // the token expires anyway
  clearSession();
  queryClient.clear();
}

export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  await rollcall.call('changePassword', { body: { currentPassword, newPassword } });
  const state = getSession();
  if (state.kind !== 'active') return;
  startSession({ ...state.session, mustChangePassword: false });
  await refreshProfile();
}
