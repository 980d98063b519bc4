import { isRollcallError, type Schemas } from '#client';
import { changeList, serialsOfChange } from '../changes/shown-change.js';
import { type ListOptions, pageLimit, print, printJson, printList, printRecord, say } from '../output.js';
import { connectBriefly } from '../session/connect.js';
import { createNames, named, serialsOfActor } from '../user-names.js';
import { type Call, shownCall } from './shown-call.js';

type Changes = AsyncIterable<Schemas['Change']>;

/** `rollcall calls show ID`: the call, and what it changed. */
export async function showCall(id: string, options: ListOptions): Promise<void> {
  const rollcall = connectBriefly();
  const { data: call } = (await rollcall.call('getCall', { path: { id } })).body;
  const changes = rollcall.each('listChanges', { query: { callId: id, limit: pageLimit(options) } });
  if (options.json) return showAsJson(call, changes, options);
  const names = createNames(rollcall);
  for (const serial of serialsOfActor(call.actor)) await names.learn(serial);
  printRecord(call, options, () => shownCall(call, names));
  print('');
  const shape = changeList(names, 'It changed nothing, or its changes are no longer kept.');
  await unlessNotAllowed(printList(named(changes, names, serialsOfChange), options, shape));
}

async function showAsJson(call: Call, changes: Changes, { all, limit = 0 }: ListOptions): Promise<void> {
  const shown: Schemas['Change'][] = [];
  const read = async () => {
    for await (const change of changes) {
      if (!all && shown.length === limit) return;
      shown.push(change);
    }
  };
  await unlessNotAllowed(read());
  printJson({ call, changes: shown });
}

/** Calls are read by more people than the log of changes is. */
async function unlessNotAllowed(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isRollcallError(error, 'ACCESS_SCOPE_MISSING')) throw error;
    say(`Its changes are not shown: ${error.detail}`);
  }
}
