import { host } from '../host.js';
import { type JsonOption, printRecord } from '../output.js';
import { briefRetry, clientAt, connection } from './connect.js';
import { identityText, permissionsText } from './identity.js';

/** `rollcall whoami` */
export async function whoAmI(options: JsonOption): Promise<void> {
  const { url, auth, from } = connection(host().env);
  const { body } = await clientAt(url, { auth, retry: briefRetry }).call('getMe');
  printRecord({ url, ...body.data, from }, options, (me) => [
    ['service', `${url}  (${from.url})`],
    ['identity', `${identityText(me)}  (${from.auth})`],
    ['permissions', permissionsText(me)],
  ]);
}
