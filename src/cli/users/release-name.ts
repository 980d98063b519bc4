import { type JsonOption, printJson, printMessage } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { formatTime } from '../terminal/format-time.js';
import { sanitize } from '../terminal/text-width.js';

export interface ReleaseNameOptions extends JsonOption {
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
