import { type EventType, followEvents, type Reconnect, type RollcallEvent } from '#client';
import type { ChangeKind, LoggedField } from '../../contract/enums.js';
import { host } from '../host.js';
import { type ListOptions, pageLimit, print, printJson, printList, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connectInteractive, lastUrl } from '../session/connect.js';
import { stopSignals } from '../stop.js';
import { formatTime } from '../terminal/format-time.js';
import { count, counted } from '../terminal/numbers.js';
import { err } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';
import {
  createUserNames,
  formatActor,
  type SerialOption,
  serialOf,
  serialsOfActor,
  type UserNames,
  withNames,
} from '../user-names.js';
import { changeList, formatFields, serialsOfChange } from './format-change.js';

type ChangesOptions = ListChangesOptions & FollowOptions & { readonly follow?: boolean | undefined };

/** `rollcall changes` */
export async function changes(options: ChangesOptions): Promise<void> {
  if (options.follow) return followChanges(options);
  if (options.after === undefined && options.types === undefined) return listChanges(options);
  throw new CommandProblem('wrongUse', '--after and --types require --follow.');
}

interface ListChangesOptions extends ListOptions, SerialOption {
  readonly user?: string | undefined;
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
  readonly kind?: ChangeKind | undefined;
  readonly field?: LoggedField | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

/** `rollcall changes` without --follow */
async function listChanges(options: ListChangesOptions): Promise<void> {
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

interface FollowOptions extends SerialOption {
  readonly json?: boolean | undefined;
  readonly types?: EventType[] | undefined;
  readonly after?: number | undefined;
  readonly user?: string | undefined;
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
  readonly field?: LoggedField | undefined;
}

/** `rollcall changes --follow` */
async function followChanges(options: FollowOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of stopSignals()) host().once(signal, () => stop.abort());
  const rollcall = connectInteractive();
  const userSerial = options.user === undefined ? undefined : await serialOf(rollcall, options.user, options);
  await rollcall.call('getMe'); // fail fast on a wrong URL or login: from here on it reconnects forever
  printMessage(err.dim(`Following changes at ${lastUrl()}. Press Ctrl-C to stop.`));
  const names = createUserNames(rollcall);
  const { types, after } = options;
  for await (const event of followEvents(rollcall, {
    types,
    after,
    signal: stop.signal,
    onReconnect: printReconnect,
  })) {
    if (!isWanted(event, userSerial, options)) continue;
    for (const serial of options.json ? [] : serialsOfActor(event.data.actor)) await names.load(serial);
    if (options.json) printJson(event);
    else print(sanitize(line(event, names)));
  }
}

function isWanted({ data }: RollcallEvent, userSerial: string | undefined, options: FollowOptions): boolean {
  const { actor, call, field } = options;
  return (
    (userSerial === undefined || ('userSerial' in data && data.userSerial === userSerial)) &&
    (actor === undefined || data.actor?.id === actor) &&
    (call === undefined || data.callId === call) &&
    (field === undefined || ('fields' in data && data.fields[field] !== undefined))
  );
}

/** "2026-11-15T08:30:00Z  4711  user.renamed  E2001  client-1f2e3d4c5b6a  employeeID: E1001 → E2001" */
function line({ type, timestamp, data }: RollcallEvent, names: UserNames): string {
  // An erased user has no employee ID.
  const subject = 'employeeID' in data ? data.employeeID || data.userSerial : data.callId;
  const what =
    'fields' in data
      ? formatFields(kindOf(type), data.fields)
      : `${data.call.kind}: ${counted(data.call.items, 'item')}, ${count(data.call.failed)} failed, ${counted(data.call.changes, 'change')}`;
  return [formatTime(timestamp), data.sequence, type, subject, formatActor(data.actor, names), what].join(
    '  ',
  );
}

const kinds: Partial<Record<EventType, ChangeKind>> = {
  'user.created': 'created',
  'user.deleted': 'deleted',
  'user.erased': 'erased',
};

function kindOf(type: EventType): ChangeKind {
  return kinds[type] ?? 'updated';
}

/** Once per interruption, however long it lasts. */
function printReconnect({ cause, attempt, after }: Reconnect): void {
  if (attempt > 1) return;
  const position = after === undefined ? '' : ` after ${after}`;
  printMessage(err.yellow(`${cause.message} Reconnecting${position}. No changes will be missed.`));
}
