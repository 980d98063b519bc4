import { type Rollcall, RollcallError } from '#client';
import { listLimitDefault, print, printMessage } from './output.js';
import { count } from './terminal/numbers.js';
import { err } from './terminal/style.js';
import { table } from './terminal/table.js';

/** What happens to a user. */
export type OutcomeRow = readonly [employeeID: string, outcome: string, what: string];

const headings = ['EMPLOYEE ID', 'NAME', 'OUTCOME', 'WHAT'] as const;

/** As many outcomes as a list shows, each with the user's name. */
export async function printOutcomes(rollcall: Rollcall, rows: readonly OutcomeRow[]): Promise<void> {
  if (rows.length === 0) return;
  print(table(await outcomeTable(rollcall, rows.slice(0, listLimitDefault))));
  const omitted = rows.length - listLimitDefault;
  if (omitted > 0) printMessage(err.dim(`And ${count(omitted)} more. To see all, use --json.`));
}

export async function outcomeTable(
  rollcall: Rollcall,
  rows: readonly OutcomeRow[],
): Promise<(readonly string[])[]> {
  const names = await namesOf(
    rollcall,
    rows.map(([employeeID]) => employeeID),
  );
  return [
    headings,
    ...rows.map(([employeeID, ...outcome]) => [employeeID, names.get(employeeID) ?? '', ...outcome]),
  ];
}

/** Users may be gone, or not readable for the caller, which must not break the report. */
async function namesOf(
  rollcall: Rollcall,
  employeeIDs: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  try {
    const { body } = await rollcall.call('lookupUsers', {
      body: { employeeIDs: [...new Set(employeeIDs)] },
    });
    return new Map(body.data.items.map(({ employeeID, name }) => [employeeID, name]));
  } catch (error) {
    if (error instanceof RollcallError && error.status < 500) return new Map();
    throw error;
  }
}
