import { type JsonOption, printJson, say } from '../output.js';
import { endSession } from './session-end.js';
import { forgetLogin, formerLogin } from './stored-login.js';

/** `rollcall logout`. Whoever asks for it is logged out here, whether or not the service can be told. */
export async function logOut({ json }: JsonOption): Promise<void> {
  const login = formerLogin();
  const sessionEnded = (await endSession(login)) ?? null;
  const wasLoggedIn = forgetLogin();
  if (json) printJson({ wasLoggedIn, url: login?.url ?? null, sessionEnded });
  else say(wasLoggedIn ? `Logged out${login ? ` of ${login.url}` : ''}.` : 'You were not logged in.');
  if (sessionEnded === false && login && 'endsAt' in login) {
    say(`The service could not be told to end the session, which ends by itself at ${login.endsAt}.`);
  }
}
