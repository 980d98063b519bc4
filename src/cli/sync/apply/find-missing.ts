import { CommandProblem } from '../../problem.js';
import { stopIfAsked } from '../../stop.js';
import { count } from '../../terminal/numbers.js';
import { IdIndex } from '../file/id-index.js';
import { rowsText, type Survey } from '../file/survey.js';
import type { SendOptions } from './send.js';

/** How many may be deactivated: a number, or a share of all who are active. */
export type DeactivateMax = { readonly people: number } | { readonly percent: number };

/** The greatest page: everybody is gone through. */
const pageSize = 200;

/** Active people whom the file does not have. Refused before anything is done if there are too many of them. */
export async function findMissing(
  { rollcall, signal }: Pick<SendOptions, 'rollcall' | 'signal'>,
  { people, sources, unreadable }: Survey,
  { max, keep }: { readonly max: DeactivateMax; readonly keep: ReadonlySet<string> },
  onPerson: (seen: number) => void,
): Promise<IdIndex> {
  if (unreadable.count > 0) throw cannotTell(unreadable);
  const missing = new IdIndex();
  let active = 0;
  const list = rollcall.each('listUsers', {
    query: { isActive: true, sort: 'employeeID', limit: pageSize },
    retry: { signal },
  });
  for await (const { employeeID } of list) {
    stopIfAsked(signal);
    onPerson(++active);
    // Who is still there by an old ID could not be renamed, and is in the file all the same.
    const isThere = people.has(employeeID) || sources.has(employeeID) || keep.has(employeeID);
    if (!isThere) missing.add(employeeID, 1);
  }
  if (missing.size > allowed(max, active)) throw tooMany(missing.size, active, max);
  return missing;
}

export function allowed(max: DeactivateMax, active: number): number {
  return 'people' in max ? max.people : Math.floor((active * max.percent) / 100);
}

function tooMany(missing: number, active: number, max: DeactivateMax): CommandProblem {
  const share = ((100 * missing) / active).toFixed(1);
  const limit = 'people' in max ? count(max.people) : `${max.percent}%`;
  return new CommandProblem(
    'refused',
    `The file lacks ${count(missing)} of ${count(active)} active people (${share}%), and --max-deactivate is ${limit}. Nothing was done. Is the file whole? If it is, run it again with --max-deactivate ${missing}.`,
  );
}

function cannotTell({ rows, count: all }: Survey['unreadable']): CommandProblem {
  return new CommandProblem(
    'refused',
    `${rowsText(rows, all)} ${all === 1 ? 'has' : 'have'} no employee ID that can be read, so it cannot be told who is missing. Nothing was done. Mend the file, or leave --deactivate-missing out.`,
  );
}
