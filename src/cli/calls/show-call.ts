import { isRollcallError, type Schemas } from '#client';
import { hasRun } from '../../contract/enums.js';
import { changeList, serialsOfChange } from '../changes/format-change.js';
import {
  type ListOptions,
  pageLimit,
  print,
  printJson,
  printList,
  printMessage,
  printRecord,
} from '../output.js';
import { connectInteractive } from '../session/connect.js';
import { createUserNames, withNames } from '../user-names.js';
import { type Call, formatCall, serialsOfCall } from './format-call.js';

type Changes = AsyncIterable<Schemas['Change']>;

/** `rollcall calls show ID` */
export async function showCall(id: string, options: ListOptions): Promise<void> {
  const rollcall = connectInteractive();
  const { data: call } = (await rollcall.call('getCall', { path: { id } })).body;
  const changes = rollcall.each('listChanges', { query: { callId: id, limit: pageLimit(options) } });
  if (options.json) return showAsJson(call, changes, options);
  const names = createUserNames(rollcall);
  for (const serial of serialsOfCall(call)) await names.load(serial);
  printRecord(call, options, () => formatCall(call, names));
  if (!hasRun(call.state)) {
    printMessage(`\nThe call has changed nothing. To see its preview: rollcall calls items ${id}`);
    return;
  }
  print('');
  const shape = changeList(names, 'The call changed nothing, or its changes are no longer kept.');
  await unlessNotAllowed(printList(withNames(changes, names, serialsOfChange), options, shape));
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

/** Reading calls requires fewer permissions than reading changes. */
async function unlessNotAllowed(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isRollcallError(error, 'ACCESS_SCOPE_MISSING')) throw error;
    printMessage(`Cannot show the changes: ${error.detail}`);
  }
}
