import type { Rollcall } from '#client';
import { isWaiting } from '../../contract/enums.js';
import { type JsonOption, printJson, printMessage } from '../output.js';
import { waitingText } from '../planning/planned-call.js';
import { connectInteractive } from '../session/connect.js';
import { formatLongTime } from '../terminal/format-time.js';
import { count, counted } from '../terminal/numbers.js';
import { showWhile } from '../terminal/progress.js';
import { canAsk, confirmOrAbort } from '../terminal/prompt.js';
import { createUserNames, formatActor, type UserNames } from '../user-names.js';
import { type Call, callName, serialsOfCall } from './format-call.js';

export interface DecideOptions extends JsonOption {
  readonly yes?: boolean | undefined;
}

interface Decision {
  readonly operation: 'approveCall' | 'cancelCall' | 'takeOverCall';
  readonly question: string;
  /** What to say about the call afterwards. */
  readonly done: (call: Call) => string;
}

const approval: Decision = {
  operation: 'approveCall',
  question: 'Approve this call?',
  done: ({ id, plan }) =>
    plan?.effectiveAt == null
      ? `Approved: call ${id} runs now.`
      : `Approved: call ${id} runs on ${formatLongTime(plan.effectiveAt)}.`,
};

const cancellation: Decision = {
  operation: 'cancelCall',
  question: 'Cancel this call?',
  done: ({ id }) => `Cancelled: call ${id} will not run. It has changed nothing.`,
};

const takeover: Decision = {
  operation: 'takeOverCall',
  question: 'Take over this call, so that it runs with your permissions?',
  done: ({ id, state }) =>
    `Taken over: call ${id} runs with your permissions.${state === 'awaitingApproval' ? ' Someone else has to approve it.' : ''}`,
};

/** `rollcall calls approve ID…` */
export function approveCalls(ids: readonly string[], options: DecideOptions): Promise<void> {
  return decide(ids, options, approval);
}

/** `rollcall calls cancel ID…` */
export function cancelCalls(ids: readonly string[], options: DecideOptions): Promise<void> {
  return decide(ids, options, cancellation);
}

/** `rollcall calls take-over ID…` */
export function takeOverCalls(ids: readonly string[], options: DecideOptions): Promise<void> {
  return decide(ids, options, takeover);
}

/** One after the other, each with its own question. */
async function decide(
  ids: readonly string[],
  { yes, json }: DecideOptions,
  { operation, question, done }: Decision,
): Promise<void> {
  const rollcall = connectInteractive();
  const decided: Call[] = [];
  try {
    for (const id of new Set(ids)) {
      if (!yes && canAsk()) await describe(rollcall, id);
      await confirmOrAbort(question, yes);
      const { data: call } = (await rollcall.call(operation, { path: { id } })).body;
      decided.push(call);
      if (!json) printMessage(done(call));
    }
  } finally {
    if (json) printJson(decided);
  }
}

/** What the call would do, if it is still to run. */
async function describe(rollcall: Rollcall, id: string): Promise<void> {
  const { data: call } = (await rollcall.call('getCall', { path: { id } })).body;
  if (!isWaiting(call.state)) return;
  const names = createUserNames(rollcall);
  for (const serial of serialsOfCall(call)) await names.load(serial);
  printMessage(summaryOf(call, names));
  printMessage(await showWhile('Reading the preview …', previewOf(rollcall, id)));
}

/** "Bulk update of 120 items by E1001. Awaits approval, planned for 31 December 2026 at 00:00 UTC." */
function summaryOf({ kind, items, plan }: Call, names: UserNames): string {
  const name = callName(kind);
  const author = formatActor(plan?.author ?? null, names);
  const what = `${name[0]?.toUpperCase()}${name.slice(1)} of ${counted(items, 'item')} by ${author}`;
  return plan ? `${what}. ${waitingText(plan)}.` : `${what}.`;
}

async function previewOf(rollcall: Rollcall, id: string): Promise<string> {
  let [changed, unchanged, failed] = [0, 0, 0];
  for await (const { outcome, effect } of rollcall.each('listCallItems', {
    path: { id },
    query: { limit: 200 },
  })) {
    if (outcome === 'failed') failed++;
    else if (effect?.kind === 'unchanged') unchanged++;
    else changed++;
  }
  return `Preview: ${count(changed)} would change, ${count(unchanged)} unchanged, ${count(failed)} would fail. To see them: rollcall calls items ${id}`;
}
