import { CommandProblem } from '../../problem.js';
import { throwIfStopped } from '../../stop.js';
import { count } from '../../terminal/numbers.js';
import { IdIndex } from '../file/id-index.js';
import { rowsText, type Survey } from '../file/survey.js';
import type { SendOptions } from './send.js';

/** How many users may be deactivated: a number, or a percentage of the active users. */
export type DeactivateMax = { readonly users: number } | { readonly percent: number };

/** The maximum, since every user is read. */
const pageSize = 200;

/** Active users missing from the file. Refuses to go on if there are too many, before anything is done. */
export async function findMissing(
  { rollcall, signal }: Pick<SendOptions, 'rollcall' | 'signal'>,
  { ids, renamedFrom, unreadable }: Survey,
  { max, keep }: { readonly max: DeactivateMax; readonly keep: ReadonlySet<string> },
  onUser: (seen: number) => void,
): Promise<IdIndex> {
  if (unreadable.count > 0) throw unreadableIds(unreadable);
  const missing = new IdIndex();
  let active = 0;
  const list = rollcall.each('listUsers', {
    query: { isActive: true, sort: 'employeeID', limit: pageSize },
    retry: { signal },
  });
  for await (const { employeeID } of list) {
    throwIfStopped(signal);
    onUser(++active);
    // A user who still has an old ID could not be renamed, but is in the file.
    const isPresent = ids.has(employeeID) || renamedFrom.has(employeeID) || keep.has(employeeID);
    if (!isPresent) missing.add(employeeID, 1);
  }
  if (missing.size > allowed(max, active)) throw tooManyMissing(missing.size, active, max);
  return missing;
}

export function allowed(max: DeactivateMax, active: number): number {
  return 'users' in max ? max.users : Math.floor((active * max.percent) / 100);
}

function tooManyMissing(missing: number, active: number, max: DeactivateMax): CommandProblem {
  const share = ((100 * missing) / active).toFixed(1);
  const limit = 'users' in max ? count(max.users) : `${max.percent}%`;
  return new CommandProblem(
    'refused',
    `${count(missing)} of ${count(active)} active users (${share}%) are missing from the file, but --max-deactivate is ${limit}. Nothing was done. Check that the file is complete. To proceed, run again with --max-deactivate ${missing}.`,
  );
}

function unreadableIds({ rows, count: all }: Survey['unreadable']): CommandProblem {
  return new CommandProblem(
    'refused',
    `${rowsText(rows, all)} ${all === 1 ? 'has' : 'have'} no readable employee ID, so missing users cannot be determined. Nothing was done. Fix the file, or run without --deactivate-missing.`,
  );
}
