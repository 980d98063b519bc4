import { create } from 'zustand';
import { type Scope, seesHistory } from './scopes.js';
import { forgetUser } from './signed-out.js';

export interface Session {
  /** Which session it is. Its token is in a cookie that scripts can't read. */
  readonly id: string;
  readonly serial: string;
  /** The username or employee ID. Null after a reload until the profile is loaded, like the name and the role. */
  readonly signInName: string | null;
  readonly name: string | null;
  readonly role: 'viewer' | 'operator' | 'administrator' | null;
  readonly scopes: readonly Scope[];
  /** How the user signed in; null until the profile is loaded. */
  readonly method: SignInMethod | null;
  readonly mustChangePassword: boolean;
  /** What is missing after the password. */
  readonly secondFactor: SecondFactor;
}

export type SecondFactor = 'none' | 'required' | 'enrol';

/** What has to happen first, in the order of the service. */
export type Restriction = 'factor' | 'password' | 'enrolment';

export function restrictionOf(state: SessionState): Restriction | undefined {
  if (state.kind !== 'active') return undefined;
  const { secondFactor, mustChangePassword } = state.session;
  if (secondFactor === 'required') return 'factor';
  if (mustChangePassword) return 'password';
  return secondFactor === 'enrol' ? 'enrolment' : undefined;
}

export type SignInMethod = 'password' | 'passkey' | 'provider';

/** An expired session is kept, so that the same user can sign in again without losing unsaved input. */
export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'active'; readonly session: Session }
  | { readonly kind: 'ended'; readonly session: Session };

const storageKey = 'rollcall.session';
const useStore = create<{ readonly current: SessionState }>(() => ({ current: readStorage() }));

function readStorage(): SessionState {
  try {
    const text = localStorage.getItem(storageKey);
    if (text === null) return { kind: 'none' };
    const session = {
      ...storedFields(JSON.parse(text) as Session),
      signInName: null,
      name: null,
      role: null,
      method: null,
    };
    return { kind: 'active', session };
  } catch {
    return { kind: 'none' };
  }
}

/** Tells a page that is loaded, and other tabs, that there is a session. Personal data stays out of the browser's storage. */
function storedFields({ id, serial, scopes, mustChangePassword, secondFactor = 'none' }: Session) {
  return { id, serial, scopes, mustChangePassword, secondFactor };
}

function setState(current: SessionState): void {
  useStore.setState({ current });
  if (current.kind === 'none') forgetUser();
}

// Another tab signed in or out. Unsaved input here is kept for the same user; for anyone else the page starts over.
window.addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return;
  const state = getSession();
  const next = readStorage();
  if (next.kind === 'none' && state.kind === 'active') setState(expired(state.session));
  if (next.kind !== 'active') return;
  if (state.kind !== 'none' && state.session.serial !== next.session.serial) location.reload();
  else
    setState(
      state.kind === 'none'
        ? next
        : { ...next, session: { ...state.session, ...storedFields(next.session) } },
    );
});

export function getSession(): SessionState {
  return useStore.getState().current;
}

export function startSession(session: Session): void {
  localStorage.setItem(storageKey, JSON.stringify(storedFields(session)));
  setState({ kind: 'active', session });
}

/** The service knows the session no longer. */
export function expireSession(id: string): void {
  const state = getSession();
  if (state.kind !== 'active' || state.session.id !== id) return;
  localStorage.removeItem(storageKey);
  setState(expired(state.session));
}

/** The user has added a factor elsewhere, so that this session needs it, too. */
export function restrictSession(secondFactor: SecondFactor): void {
  const state = getSession();
  if (state.kind === 'active') startSession({ ...state.session, secondFactor });
}

/** Without a loaded profile there is no input to keep. */
function expired(session: Session): SessionState {
  return session.signInName === null ? { kind: 'none' } : { kind: 'ended', session };
}

export function clearSession(): void {
  localStorage.removeItem(storageKey);
  setState({ kind: 'none' });
}

export function useSession(): SessionState {
  return useStore(({ current }) => current);
}

/** The signed-in user, even if the session has just expired. */
export function useCurrentUser(): Session {
  const current = useSession();
  if (current.kind === 'none') throw new Error('No one is signed in.');
  return current.session;
}

export function usePermission(scope: Scope): boolean {
  return useCurrentUser().scopes.includes(scope);
}

export function useSeesHistory(): boolean {
  return seesHistory(useCurrentUser().scopes);
}
