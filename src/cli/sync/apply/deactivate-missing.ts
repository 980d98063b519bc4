import { deactivation, type IdIndex, type SyncOutcome } from '#sheets';
import { throwIfStopped } from '../../stop.js';
import type { ApplyContext } from './apply-rows.js';
import { lookup } from './lookup.js';
import { sendCall } from './send.js';
import type { SyncContext } from './sync-context.js';

/** Deactivates the missing users that are still active. They are known by the employee IDs that they have now. */
export async function deactivateMissing(run: SyncContext, missing: IdIndex): Promise<void> {
  const { tally, resumed } = run;
  const context: ApplyContext = { ...run.context, asOf: undefined, reassigned: undefined };
  const before = [...(resumed?.intended ?? [])].flatMap(([id, kind]) =>
    kind === 'deactivated' && !run.survey.ids.has(id) ? [id] : [],
  );
  let number = 0;
  const record = (chunk: string, outcomes: readonly SyncOutcome[]) => {
    context.journal.done(chunk, outcomes, []);
    tally.add(outcomes);
  };
  const stamp = resumed ? `missing-${Date.now()}` : 'missing';
  record(`${stamp}-before`, await deactivatedBefore(context, before));
  let ids: string[] = [];
  const flush = async () => {
    throwIfStopped(context.signal);
    const chunk = `${stamp}-${number++}`;
    if (ids.length > 0) record(chunk, await deactivate(context, chunk, ids));
    ids = [];
  };
  for (const [id] of missing) {
    ids.push(id);
    if (ids.length === run.rowsPerChunk) await flush();
  }
  await flush();
}

async function deactivate(
  context: ApplyContext,
  chunk: string,
  employeeIDs: readonly string[],
): Promise<SyncOutcome[]> {
  const users = await lookup(context, [...employeeIDs]);
  const active = [...users.values()].filter(({ isActive }) => isActive);
  if (!context.dryRun)
    context.journal.intend(
      chunk,
      active.map(({ employeeID }) => [employeeID, 'deactivated']),
    );
  const items = active.map(({ employeeID }) => deactivation(employeeID));
  const sent = await sendCall(context, chunk, { create: false, items });
  return active.map(({ employeeID, serial }, at) => {
    const user = { row: null, employeeID, serial, changed: ['isActive'] };
    const result = sent[at];
    if (result?.ok !== false) return { ...user, kind: result?.isPlanned ? 'planned' : 'deactivated' };
    const { code, detail } = result;
    const advice = code === 'USER_LAST_ADMINISTRATOR' ? ` Keep them active with --keep ${employeeID}.` : '';
    return { ...user, kind: 'failed', problem: { code, detail: detail + advice } };
  });
}

/** Users that an interrupted sync was about to deactivate and that are inactive now. */
async function deactivatedBefore(
  context: ApplyContext,
  employeeIDs: readonly string[],
): Promise<SyncOutcome[]> {
  if (employeeIDs.length === 0) return [];
  const users = await lookup(context, [...employeeIDs]);
  return [...users.values()]
    .filter(({ isActive }) => !isActive)
    .map(({ employeeID, serial }) => ({
      row: null,
      employeeID,
      serial,
      kind: 'deactivated',
      changed: ['isActive'],
    }));
}
