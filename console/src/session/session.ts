import { useSyncExternalStore } from 'react';

/** Who is signed in. */
export interface Session {
  readonly token: string;
  readonly serial: string;
  /** Like the name and the role: null after a reload, until the service has said whose token it is. */
  readonly username: string | null;
  readonly name: string | null;
  readonly role: 'viewer' | 'operator' | 'administrator' | null;
  readonly scopes: readonly Scope[];
  readonly mustChangePassword: boolean;
}

export type Scope = 'users:read' | 'users:write' | 'access:admin' | 'audit:read';

/** An ended session is remembered by name, so that whatever was typed can wait for the same person to sign in again. */
export type SessionState =
  | { readonly kind: 'none' }
  | { readonly kind: 'active'; readonly session: Session }
  | { readonly kind: 'ended'; readonly session: Session };

const storageKey = 'rollcall.session';
const listeners = new Set<() => void>();
let state: SessionState = stored();

function stored(): SessionState {
  try {
    const text = localStorage.getItem(storageKey);
    if (text === null) return { kind: 'none' };
    const session = { ...storedFields(JSON.parse(text) as Session), username: null, name: null, role: null };
    return { kind: 'active', session };
  } catch {
    return { kind: 'none' };
  }
}

/** What the browser's storage holds. Who it is stays out of it, and is learnt from the service after a reload. */
function storedFields({ token, serial, scopes, mustChangePassword }: Session) {
  return { token, serial, scopes, mustChangePassword };
}

function change(next: SessionState): void {
  state = next;
  for (const listener of listeners) listener();
}

// Another tab signed in or out. What is open here stays open: whoever was at work here may want to finish. Somebody else
// gets a page of their own, with nothing on it of the person before.
window.addEventListener('storage', ({ key }) => {
  if (key !== storageKey && key !== null) return;
  const next = stored();
  if (next.kind === 'none' && state.kind === 'active') change(expired(state.session));
  if (next.kind !== 'active') return;
  if (state.kind !== 'none' && state.session.serial !== next.session.serial) location.reload();
  else
    change(
      state.kind === 'none'
        ? next
        : { ...next, session: { ...state.session, ...storedFields(next.session) } },
    );
});

export function getSession(): SessionState {
  return state;
}

export function startSession(session: Session): void {
  localStorage.setItem(storageKey, JSON.stringify(storedFields(session)));
  change({ kind: 'active', session });
}

/** The service does not take the token any more. */
export function expireSession(token: string): void {
  if (state.kind !== 'active' || state.session.token !== token) return;
  localStorage.removeItem(storageKey);
  change(expired(state.session));
}

/** A page that was loaded without a valid session has nothing to keep for anybody. */
function expired(session: Session): SessionState {
  return session.username === null ? { kind: 'none' } : { kind: 'ended', session };
}

/** The person wants to leave. */
export function clearSession(): void {
  localStorage.removeItem(storageKey);
  change({ kind: 'none' });
}

export function useSession(): SessionState {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => state,
  );
}

/** Of whoever is signed in, or was until a moment ago. */
export function useCurrentUser(): Session {
  const current = useSession();
  if (current.kind === 'none') throw new Error('nobody is signed in');
  return current.session;
}

export function usePermission(scope: Scope): boolean {
  return useCurrentUser().scopes.includes(scope);
}
