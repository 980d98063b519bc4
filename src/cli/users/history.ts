import { changeList, serialsOfChange } from '../changes/shown-change.js';
import { type SerialOption, serialOf } from '../find-user.js';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { createNames, named } from '../user-names.js';

/** `rollcall users history ID` */
export async function userHistory(id: string, options: SerialOption & ListOptions): Promise<void> {
  const rollcall = connectBriefly();
  const serial = await serialOf(rollcall, id, options);
  const changes = rollcall.each('userHistory', { path: { serial }, query: { limit: pageLimit(options) } });
  const names = createNames(rollcall);
  await printList(
    options.json ? changes : named(changes, names, serialsOfChange),
    options,
    changeList(names, 'Nothing of this user is kept: changes are removed after a time.'),
  );
}
