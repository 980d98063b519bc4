import type { RunningPeer } from './peer.js';
import { changesFor } from './users.js';

export const badCallItems = 10;
const badIndex = 4;

/** What a peer did with a call of ten items, the fifth of which requests an employee ID that another user has. */
export interface OneBadItem {
  readonly status: number;
  /** How many of the other nine were updated in the database. */
  readonly othersDone: number;
  /** For how many items the reply has a result. */
  readonly itemsAnswered: number;
  /** The message for the invalid item, or for the call if there are none for items. */
  readonly says: string;
  readonly sentence: string;
}

export async function tryOneBadItem(peer: RunningPeer): Promise<OneBadItem> {
  const [somebodyElse, ...items] = changesFor(badCallItems + 1);
  const changes = items.map((item, index) =>
    index === badIndex && somebodyElse ? { ...item, newEmployeeID: somebodyElse.employeeID } : item,
  );
  const reply = await peer.updateMany(changes);
  const isRefused = reply.status >= 400;
  const answers = isRefused ? [] : peer.itemAnswers(reply);
  const failed = answers.filter(({ done }) => !done);
  const says = answers.length > 0 ? failed.map(({ text }) => text).join(' ') : peer.refusal(reply);
  const phones = changes.map(({ phone }) => phone);
  const badPhone = phones.slice(badIndex, badIndex + 1);
  const badDone = await peer.countPhones(badPhone);
  if (badDone > 0) throw new Error('the invalid item succeeded');
  const observed = {
    status: reply.status,
    othersDone: await peer.countPhones(phones),
    itemsAnswered: answers.length,
  };
  return { ...observed, says, sentence: sentenceOf(observed) };
}

function sentenceOf({ status, othersDone, itemsAnswered }: Omit<OneBadItem, 'says' | 'sentence'>): string {
  const others = badCallItems - 1;
  const done =
    othersDone === 0
      ? 'nothing is updated'
      : othersDone === others
        ? `the other ${others} are updated`
        : `${othersDone} of the other ${others} are updated`;
  const answered =
    itemsAnswered === badCallItems
      ? 'a result for each item'
      : itemsAnswered === 0
        ? 'one result for the whole call'
        : `a result for ${itemsAnswered} items`;
  return `HTTP ${status}: ${done}, ${answered}`;
}
