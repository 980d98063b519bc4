import type { Schemas } from '#client';
import { type JsonOption, print, printJson } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { table } from '../terminal/table.js';

type History = Schemas['EmployeeIdHistory']['data'];

/** `rollcall users id-history ID` */
export async function idHistory(employeeID: string, { json }: JsonOption): Promise<void> {
  const { body } = await connectInteractive().call('getEmployeeId', { path: { employeeID } });
  if (json) printJson(body.data);
  else print(formatHistory(body.data));
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
