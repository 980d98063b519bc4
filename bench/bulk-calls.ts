import { timedMs } from './figures.js';
import type { Service } from './service.js';
import type { UserChange } from './users.js';

/**
 * The time from the JSON text in the caller's memory to the last byte of the report, in ms. Every item must succeed.
 */
export async function updateOverHttp(
  service: Service,
  changes: readonly UserChange[],
  query = '',
): Promise<number> {
  return (await bulkOverHttp(service, `/service/users/update-bulk${query}`, changes.map(itemOf))).ms;
}

export async function bulkOverHttp(
  service: Service,
  path: string,
  items: readonly object[],
): Promise<{ ms: number; callId: string | undefined }> {
  const body = JSON.stringify({ items });
  let report = '';
  let callId: string | undefined;
  const ms = await timedMs(async () => {
    ({ text: report, callId } = await service.post(path, body));
  });
  const reply = JSON.parse(report) as { data?: { successItems: unknown[]; failedItems: unknown[] } };
  if (reply.data?.successItems.length !== items.length) {
    const problem = reply.data ? JSON.stringify(reply.data.failedItems[0]) : report;
    throw new Error(
      `${path}: ${reply.data?.successItems.length} of ${items.length} items succeeded: ${problem}`,
    );
  }
  return { ms, callId };
}

/** Renamed users are sent with their new names, others with the rest of the record, of which little is new. */
export function itemOf({ before, after }: UserChange): object {
  const { employeeID, name, isActive } = { ...after, employeeID: before.employeeID };
  return before.employeeID === after.employeeID
    ? { employeeID, name, phone: after.phone, isActive, tagSerials: after.tagSerials }
    : { employeeID, name, newEmployeeID: after.employeeID, username: after.username, isActive };
}
