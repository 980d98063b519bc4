import { bearer, RequestFailed } from '#client';
import { clientAt } from './connect.js';
import type { StoredLogin } from './stored-login.js';

const timeoutMs = 5_000;

/** Ends a user's session at the service, if it responds. Undefined if there is no session to end. */
export async function endSession(login: StoredLogin | undefined): Promise<boolean | undefined> {
  if (!login || !('token' in login) || Date.parse(login.endsAt) <= Date.now()) return undefined;
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const rollcall = clientAt(login.url, { auth: bearer(login.token), retry: false });
    await rollcall.call('signOut', { signal });
    return true;
  } catch (error) {
    if (signal.aborted || error instanceof RequestFailed) return false;
    throw error;
  }
}
