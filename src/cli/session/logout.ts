import { bearer, RequestFailed } from '#client';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { clientAt } from './connect.js';
import { previousLogin, removeLogin, type StoredLogin } from './stored-login.js';

/** `rollcall logout`. Removes the local login even if the service is unreachable. */
export async function logOut({ json }: JsonOption): Promise<void> {
  const login = previousLogin();
  const sessionEnded = (await endSession(login)) ?? null;
  const wasLoggedIn = removeLogin();
  if (json) printJson({ wasLoggedIn, url: login?.url ?? null, sessionEnded });
  else
    printMessage(wasLoggedIn ? `Logged out${login ? ` from ${login.url}` : ''}.` : 'You were not logged in.');
  if (sessionEnded === false && login && 'endsAt' in login) {
    printMessage(`The service could not be reached to end the session. It expires at ${login.endsAt}.`);
  }
}

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
