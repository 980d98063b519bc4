import { type EventType, followEvents, type Reconnect, type RollcallEvent } from '#client';
import { type SerialOption, serialOf } from '../find-user.js';
import { print, printJson, say } from '../output.js';
import { calledUrl, connectBriefly } from '../session/connect.js';
import { count, counted } from '../terminal/numbers.js';
import { err } from '../terminal/style.js';
import { harmless } from '../terminal/text-width.js';
import { shownTime } from '../terminal/time.js';
import { createNames, type Names, serialsOfActor, shownActor } from '../user-names.js';
import { shownFields } from './shown-change.js';

export interface FollowOptions extends SerialOption {
  readonly json?: boolean | undefined;
  readonly types?: EventType[] | undefined;
  readonly after?: number | undefined;
  readonly user?: string | undefined;
  readonly actor?: string | undefined;
  readonly call?: string | undefined;
}

/** `rollcall changes --follow`: what happens, until it is interrupted. */
export async function followChanges(options: FollowOptions): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const rollcall = connectBriefly();
  const userSerial = options.user === undefined ? undefined : await serialOf(rollcall, options.user, options);
  await rollcall.call('getMe'); // a wrong URL or login ends it here: from now on it goes on whatever happens
  say(err.dim(`Following what happens at ${calledUrl()}. Ctrl-C ends it.`));
  const names = createNames(rollcall);
  const { types, after } = options;
  for await (const event of followEvents(rollcall, {
    types,
    after,
    signal: stop.signal,
    onReconnect: sayBroken,
  })) {
    if (!isWanted(event, userSerial, options)) continue;
    for (const serial of options.json ? [] : serialsOfActor(event.data.actor)) await names.learn(serial);
    if (options.json) printJson(event);
    else print(harmless(line(event, names)));
  }
}

function isWanted({ data }: RollcallEvent, userSerial: string | undefined, options: FollowOptions): boolean {
  const { actor, call } = options;
  return (
    (userSerial === undefined || ('userSerial' in data && data.userSerial === userSerial)) &&
    (actor === undefined || data.actor?.id === actor) &&
    (call === undefined || data.callId === call)
  );
}

/** "2026-11-15T08:30:00Z  4711  user.renamed  E2001  client-1f2e3d4c5b6a  employeeID: E1001 → E2001" */
function line({ type, timestamp, data }: RollcallEvent, names: Names): string {
  const subject = 'employeeID' in data ? data.employeeID : data.callId;
  const what =
    'fields' in data
      ? shownFields(kindOf(type), data.fields)
      : `${data.call.kind}: ${counted(data.call.items, 'item')}, ${count(data.call.failed)} failed, ${counted(data.call.changes, 'change')}`;
  return [shownTime(timestamp), data.sequence, type, subject, shownActor(data.actor, names), what].join('  ');
}

function kindOf(type: EventType) {
  return type === 'user.created' ? 'created' : type === 'user.deleted' ? 'deleted' : 'updated';
}

/** Once for each break, however long it lasts. */
function sayBroken({ cause, attempt, after }: Reconnect): void {
  if (attempt > 1) return;
  const place = after === undefined ? '' : ` after ${after}`;
  say(err.yellow(`${cause.message} Connecting again; it goes on${place} without leaving anything out.`));
}
