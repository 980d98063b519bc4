import { createClient } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { startSession } from './session.js';
import { refreshProfile } from './sign-in.js';

const anonymous = createClient({ baseUrl: '' });

/** How users can sign in; undefined until it is known. */
export function useSignInMethods() {
  const { data } = useQuery({
    queryKey: ['sign-in-methods'],
    queryFn: async () => (await anonymous.call('listSignInMethods', {})).body.data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

const startUrl = '/service/auth/sso/start';
/** Where this tab goes on after the sign-in. A window that another page opened has none. */
const returnKey = 'rollcall.return-to';

export function leaveForProvider(): void {
  const { pathname, href } = location;
  // Complete, because a path that begins with two slashes would name another site.
  sessionStorage.setItem(returnKey, pathname === '/signed-in' ? '/' : href);
  location.assign(startUrl);
}

export function takeReturnPath(): string | undefined {
  const path = sessionStorage.getItem(returnKey) ?? undefined;
  sessionStorage.removeItem(returnKey);
  return path;
}

/** Signs in in another window, so that this page keeps its input. Returns whether the browser let it open. */
export function openProviderWindow(purpose: 'proof' | 'sign-in'): boolean {
  sessionStorage.removeItem(returnKey); // the new window starts with a copy
  const url = purpose === 'proof' ? `${startUrl}?purpose=proof` : startUrl;
  return window.open(url, '_blank', 'popup,width=520,height=680') !== null;
}

/** Other windows learn that this one has proved who the user is. The provider cuts the connection to the opener. */
const proofs = new BroadcastChannel('rollcall.proof');

export function announceProof(): void {
  proofs.postMessage('proven');
}

export function whenProvenElsewhere(listener: () => void): () => void {
  proofs.addEventListener('message', listener);
  return () => proofs.removeEventListener('message', listener);
}

/** The cookie is set already; the page learns whose session it is. */
export async function adoptSession(): Promise<void> {
  const { body } = await anonymous.call('getMe', {});
  const { id: serial, sessionId, name, username, employeeID, role, scopes, method, secondFactor } = body.data;
  if (sessionId === null) throw new Error('There is no session.');
  const signInName = username ?? employeeID;
  startSession({
    ...{ id: sessionId, serial, signInName, name, role, scopes, method, secondFactor },
    mustChangePassword: false,
  });
  await refreshProfile();
}
