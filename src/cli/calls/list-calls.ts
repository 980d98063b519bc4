import type { CallKind, CallState } from '../../contract/enums.js';
import { type ListOptions, pageLimit, printList } from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { createUserNames, withNames } from '../user-names.js';
import { callList, serialsOfCall } from './format-call.js';

export interface ListCallsOptions extends ListOptions {
  readonly kind?: CallKind | undefined;
  readonly state?: CallState | undefined;
  readonly actor?: string | undefined;
  readonly requestId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `rollcall calls list` */
export async function listCalls(options: ListCallsOptions): Promise<void> {
  const { kind, state, actor, requestId, since, until } = options;
  const rollcall = connectInteractive();
  const query = { kind, state, actorId: actor, requestId, since, until, limit: pageLimit(options) };
  const calls = rollcall.each('listCalls', { query });
  const names = createUserNames(rollcall);
  await printList(
    options.json ? calls : withNames(calls, names, serialsOfCall),
    options,
    callList(names, 'No matches. Dry runs are not recorded.'),
  );
}
