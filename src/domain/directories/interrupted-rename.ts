import type { DirectoryKind } from '../../contract/directories.js';
import type { CallKind } from '../../contract/enums.js';
import { listCalls } from '../../storage/changes/calls.js';
import { listChanges } from '../../storage/changes/changes.js';
import type { Context } from '../context.js';
import { replacementIn, type SerialReplacement } from './serial-replacement.js';

/** An older call than these is not looked for. */
const interruptedCallsMax = 100;

/** Whether the same rename was started and interrupted. It has moved the entry and some of the users. */
export async function wasInterrupted(
  { database }: Context,
  kind: DirectoryKind,
  callKind: CallKind,
  replacement: SerialReplacement,
): Promise<boolean> {
  const filters = { kind: callKind, state: 'interrupted' };
  const calls = await listCalls(database.pool, { filters, before: undefined, limit: interruptedCallsMax });
  for (const { id } of calls.filter(({ undoneBy }) => undoneBy === null)) {
    const request = { filters: { callId: id }, before: undefined, limit: 1 };
    const [change] = await listChanges(database.pool, request);
    const found = change && replacementIn(kind, change.fields);
    if (found?.from === replacement.from && found.to === replacement.to) return true;
  }
  return false;
}
