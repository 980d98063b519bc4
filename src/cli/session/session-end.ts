import { bearer, RequestFailed } from '#client';
import { clientAt } from './connect.js';
import type { StoredLogin } from './stored-login.js';

const patienceMs = 5_000;

/** Ends the session of a person at the service, as far as it answers. Undefined where there is none to end. */
export async function endSession(login: StoredLogin | undefined): Promise<boolean | undefined> {
  if (!login || !('token' in login) || Date.parse(login.endsAt) <= Date.now()) return undefined;
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const rollcall = clientAt(login.url, { auth: bearer(login.token), retry: false });
    await rollcall.call('signOut', { signal });
    return true;
  } catch (error) {
    if (signal.aborted || error instanceof RequestFailed) return false;
    throw error;
  }
}
