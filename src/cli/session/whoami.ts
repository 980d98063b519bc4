import { type JsonOption, printRecord } from '../output.js';
import { brieflyTried, clientAt, connection } from './connect.js';
import { shownScopes, shownWho } from './who.js';

/** `rollcall whoami`, as the service sees it. */
export async function whoAmI(options: JsonOption): Promise<void> {
  const { url, auth, from } = connection(process.env);
  const { body } = await clientAt(url, { auth, retry: brieflyTried }).call('getMe');
  printRecord({ url, ...body.data, from }, options, (me) => [
    ['service', `${url}  (${from.url})`],
    ['as', `${shownWho(me)}  (${from.auth})`],
    ['allowed', shownScopes(me)],
  ]);
}
