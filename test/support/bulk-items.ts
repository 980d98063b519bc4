import { anItem } from './service.js';

/** An update item that selects by employee ID, whichever user has it when the item runs. */
export function itemFor(employeeID: string, overrides: Record<string, unknown> = {}) {
  return anItem({ employeeID, name: 'Ada Lovelace' }, overrides);
}

export function rename(from: string, to: string) {
  return itemFor(from, { newEmployeeID: to });
}
