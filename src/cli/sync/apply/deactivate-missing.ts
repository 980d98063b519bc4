import { stopIfAsked } from '../../stop.js';
import type { IdIndex } from '../file/id-index.js';
import type { Outcome } from '../outcome.js';
import type { ApplyContext } from './apply-rows.js';
import { lookup } from './lookup.js';
import { sendUpdates } from './send.js';
import type { SyncContext } from './sync-context.js';

/** Deactivates everybody who is missing, as far as they still are active. */
export async function deactivateMissing(run: SyncContext, missing: IdIndex): Promise<void> {
  const { context, tally, soFar } = run;
  const before = [...(soFar?.intended ?? [])].flatMap(([id, kind]) =>
    kind === 'deactivated' && !run.survey.people.has(id) ? [id] : [],
  );
  let number = 0;
  const told = (chunk: string, outcomes: readonly Outcome[]) => {
    context.journal.done(chunk, outcomes, []);
    tally.add(outcomes);
  };
  const stamp = soFar ? `missing-${Date.now()}` : 'missing';
  told(`${stamp}-before`, await deactivatedBefore(context, before));
  let ids: string[] = [];
  const flush = async () => {
    stopIfAsked(context.signal);
    const chunk = `${stamp}-${number++}`;
    if (ids.length > 0) told(chunk, await deactivate(context, chunk, ids));
    ids = [];
  };
  for (const [id] of missing) {
    ids.push(id);
    if (ids.length === run.rowsPerChunk) await flush();
  }
  await flush();
}

/** Deactivates some of those who are missing, as far as they still are active. */
async function deactivate(
  context: ApplyContext,
  chunk: string,
  employeeIDs: readonly string[],
): Promise<Outcome[]> {
  const users = await lookup(context, [...employeeIDs]);
  const active = [...users.values()].filter(({ isActive }) => isActive);
  if (!context.dryRun)
    context.journal.intend(
      chunk,
      active.map(({ employeeID }) => [employeeID, 'deactivated']),
    );
  const items = active.map(({ employeeID, name }) => ({ employeeID, name, isActive: false }));
  const sent = await sendUpdates(context, chunk, items);
  return active.map(({ employeeID, serial }, at) => {
    const who = { row: null, employeeID, serial, changed: ['isActive'] };
    const result = sent[at];
    if (result?.ok !== false) return { ...who, kind: 'deactivated' };
    const { code, detail } = result;
    const mend = code === 'USER_LAST_ADMINISTRATOR' ? ` Keep them with --keep ${employeeID}.` : '';
    return { ...who, kind: 'failed', problem: { code, detail: detail + mend } };
  });
}

/** Those whom an interrupted sync was about to deactivate, and who are inactive now. */
async function deactivatedBefore(context: ApplyContext, employeeIDs: readonly string[]): Promise<Outcome[]> {
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
