import type { Failure } from '../../contract/errors.js';
import { type Database, snapshot } from '../../storage/database.js';
import { holdersThen } from '../names/holders-then.js';
import type { Parsed } from '../read-fields.js';
import type { ReadAhead } from './lock-free-updates.js';
import type { BulkChange } from './user-rules.js';

/**
 * With as-of addressing, finds out whom the items mean. From then on they are addressed by serial, so that no rename
 * since then, or later in the same call, leads to somebody else.
 */
export async function addressedItems(
  database: Database,
  items: readonly Parsed<BulkChange>[],
  asOf: string | undefined,
  readAhead?: ReadAhead,
): Promise<readonly Parsed<BulkChange>[] | Failure> {
  if (asOf === undefined) return items;
  const employeeIDs = items.flatMap((item) => (item.ok ? [item.value.targetEmployeeID] : []));
  const known = await readAhead?.serials();
  const holders = await snapshot(database, (tx) => holdersThen(tx, [...new Set(employeeIDs)], asOf, known));
  if ('error' in holders) return holders;
  return items.map((item) => {
    if (!item.ok) return item;
    const serial = holders.get(item.value.targetEmployeeID) ?? null;
    return { ok: true, value: { ...withoutOwnName(item.value), targetThen: { asOf, serial } } };
  });
}

/** The employee ID of then as the new one means that the ID did not change: the present one is kept. */
function withoutOwnName(item: BulkChange): BulkChange {
  const { targetEmployeeID, change } = item;
  return change.employeeID === targetEmployeeID
    ? { ...item, change: { ...change, employeeID: undefined } }
    : item;
}
