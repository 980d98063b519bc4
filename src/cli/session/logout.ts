import { type JsonOption, printJson, printMessage } from '../output.js';
import { endSession } from './end-session.js';
import { previousLogin, removeLogin } from './stored-login.js';

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
