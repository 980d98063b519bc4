import type { Schemas } from '#client';
import { changeList, serialsOfChange } from '../changes/format-change.js';
import {
  type JsonOption,
  type ListOptions,
  pageLimit,
  print,
  printJson,
  printList,
  printMessage,
} from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { table } from '../terminal/table.js';
import { sanitize } from '../terminal/text-width.js';
import { createUserNames, type SerialOption, serialOf, withNames } from '../user-names.js';

/** `rollcall users history ID` */
export async function userHistory(id: string, options: SerialOption & ListOptions): Promise<void> {
  const rollcall = connectInteractive();
  const serial = await serialOf(rollcall, id, options);
  const changes = rollcall.each('userHistory', { path: { serial }, query: { limit: pageLimit(options) } });
  const names = createUserNames(rollcall);
  await printList(
    options.json ? changes : withNames(changes, names, serialsOfChange),
    options,
    changeList(names, 'No history: changes are removed after the retention period.'),
  );
}

type History = Schemas['EmployeeIdHistory']['data'];

/** `rollcall users id-history ID` */
export async function idHistory(employeeID: string, { json }: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getEmployeeId', { path: { employeeID } });
  if (json) printJson(body.data);
  else print(formatHistory(body.data));
}

interface ReleaseNameOptions extends JsonOption {
  readonly username?: boolean;
}

/** `rollcall users release-name NAME` */
export async function releaseName(name: string, { username, json }: ReleaseNameOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { body } = username
    ? await rollcall.call('releaseUsername', { path: { username: name } })
    : await rollcall.call('releaseEmployeeId', { path: { employeeID: name } });
  const until = body.data.wasQuarantinedUntil;
  if (json) printJson(body.data);
  else if (until === null) printMessage(`${sanitize(name)} is not quarantined.`);
  else printMessage(`Released ${sanitize(name)}, which was quarantined until ${formatTime(until)}.`);
}

function formatHistory({ employeeID, holder, formerHolders, quarantinedUntil }: History): string {
  const present = holder ? [[holder.name, holder.serial, formatTime(holder.since), 'now', '']] : [];
  const former = formerHolders.map(({ serial, since, until, newEmployeeID }) => [
    '',
    serial,
    formatTime(since),
    formatTime(until),
    newEmployeeID === null ? 'the user was removed' : `changed to ${newEmployeeID}`,
  ]);
  const held = table([['NAME', 'SERIAL', 'SINCE', 'UNTIL', 'THEN'], ...present, ...former]);
  if (holder) return held;
  const quarantine =
    quarantinedUntil === null ? '' : ` It is quarantined until ${formatTime(quarantinedUntil)}.`;
  return `${held}\nNo user has ${employeeID} now.${quarantine}`;
}
