import type { ChangeKind, LoggedField } from '../../contract/enums.js';
import { type SerialOption, serialOf } from '../find-user.js';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { createUserNames, withNames } from '../user-names.js';
import { changeList, serialsOfChange } from './format-change.js';

export interface ListChangesOptions extends ListOptions, SerialOption {
  readonly user?: string | undefined;
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
  readonly kind?: ChangeKind | undefined;
  readonly field?: LoggedField | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `rollcall changes` without --follow */
export async function listChanges(options: ListChangesOptions): Promise<void> {
  const { user, actor, call, kind, field, since, until } = options;
  const rollcall = connectInteractive();
  const userSerial = user === undefined ? undefined : await serialOf(rollcall, user, options);
  const filters = { userSerial, actorId: actor, callId: call, kind, field, since, until };
  const query = { ...filters, limit: pageLimit(options) };
  const changes = rollcall.each('listChanges', { query });
  const names = createUserNames(rollcall);
  await printList(
    options.json ? changes : withNames(changes, names, serialsOfChange),
    options,
    changeList(names, 'No matches. Remove a filter, or look further back.'),
  );
}
