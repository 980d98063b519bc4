import { type SerialOption, serialOf } from '../find-user.js';
import { type JsonOption, printRecord } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatUpcoming, formatUser } from './format-user.js';

/** `rollcall users get ID` */
export async function getUser(id: string, options: SerialOption & JsonOption): Promise<void> {
  const rollcall = connectInteractive();
  const path = { serial: await serialOf(rollcall, id, options) };
  const { data } = (await rollcall.call('getUser', { path })).body;
  printRecord(data, options, (user) => [...formatUser(user), ...user.upcomingChanges.map(formatUpcoming)]);
}
