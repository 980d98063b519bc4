import type { ChangeKind } from '../../contract/enums.js';
import { type SerialOption, serialOf } from '../find-user.js';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { createNames, named } from '../user-names.js';
import { changeList, serialsOfChange } from './shown-change.js';

export interface ListChangesOptions extends ListOptions, SerialOption {
  readonly user?: string | undefined;
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
  readonly kind?: ChangeKind | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `rollcall changes`: what has happened. */
export async function listChanges(options: ListChangesOptions): Promise<void> {
  const { user, actor, call, kind, since, until } = options;
  const rollcall = connectBriefly();
  const userSerial = user === undefined ? undefined : await serialOf(rollcall, user, options);
  const query = { userSerial, actorId: actor, callId: call, kind, since, until, limit: pageLimit(options) };
  const changes = rollcall.each('listChanges', { query });
  const names = createNames(rollcall);
  await printList(
    options.json ? changes : named(changes, names, serialsOfChange),
    options,
    changeList(names, 'There are no such changes. Leave a filter away, or look further back.'),
  );
}
