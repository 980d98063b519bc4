import { changeList, serialsOfChange } from '../changes/format-change.js';
import { type SerialOption, serialOf } from '../find-user.js';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { createUserNames, withNames } from '../user-names.js';

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
