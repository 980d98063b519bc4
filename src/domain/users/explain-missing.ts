import type { Executor } from '../../storage/database.js';
import { type FormerName, formerHoldersOf } from '../../storage/names/former-names.js';
import type { PlannedOutcome } from '../bulk/plan.js';
import { namesProblem } from '../names/holders-then.js';
import { type ChangedId, noSuchEmployee, unexplainedId } from './plans/missing-user.js';

/** Adds to every employee ID that was not found what happened to it. Replies leave it out without users:read. */
export async function explainMissing(
  executor: Executor,
  outcomes: readonly PlannedOutcome[],
  first: number,
): Promise<readonly PlannedOutcome[]> {
  const missing = new Map<number, string>();
  for (const [index, outcome] of outcomes.entries()) {
    const employeeID = outcome.ok ? undefined : unexplainedId(outcome.failure);
    if (employeeID !== undefined) missing.set(index, employeeID);
  }
  if (missing.size === 0 || (await namesProblem(executor))) return outcomes;
  const last = new Map<string | null, FormerName>();
  for (const former of await formerHoldersOf(executor, 'employeeID', [...new Set(missing.values())])) {
    last.set(former.name, former);
  }
  if (last.size === 0) return outcomes;
  return outcomes.map((outcome, index) => {
    const employeeID = missing.get(index);
    const former = employeeID === undefined ? undefined : last.get(employeeID);
    return employeeID === undefined || !former
      ? outcome
      : { ok: false, failure: noSuchEmployee(first + index, employeeID, { changed: changeOf(former) }) };
  });
}

function changeOf({ userSerial, nextName, until }: FormerName): ChangedId {
  return { serial: userSerial, newEmployeeID: nextName, at: until.toISOString() };
}
