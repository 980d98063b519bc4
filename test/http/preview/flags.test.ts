import { describe, expect, test } from 'vitest';
import { itemFor } from '../../support/bulk-items.js';
import { changesOfRequest } from '../../support/change-rows.js';
import { expectFailure } from '../../support/expect-failure.js';
import { aUser, newId, useService } from '../../support/service.js';

const service = useService();

const creates = '/service/users/create-bulk';
const updates = '/service/users/update-bulk';

/** One success and one failure because of a taken name. */
async function twoItems(path: string): Promise<unknown[]> {
  const [user, holder] = [await service.givenUser(), await service.givenUser()];
  const { employeeID } = holder;
  return path === creates
    ? [aUser(), aUser({ employeeID })]
    : [
        itemFor(user.employeeID, { phone: '123' }),
        itemFor(user.employeeID, { phone: '456', newEmployeeID: employeeID }),
      ];
}

const combinations = [creates, updates].flatMap((path) => [
  { path, dryRun: undefined, effects: undefined },
  { path, dryRun: 'false', effects: 'true' },
  { path, dryRun: 'true', effects: 'false' },
]);

describe('dryRun and effects', () => {
  test.each(combinations)('for $path, dryRun=$dryRun effects=$effects', async ({ path, dryRun, effects }) => {
    const items = await twoItems(path);
    const query = new URLSearchParams({ ...(dryRun && { dryRun }), ...(effects && { effects }) }).toString();
    const requestId = newId('request');
    const headers = { 'x-request-id': requestId };
    const reply = await service.post(`${path}${query && `?${query}`}`, { items }, { headers });
    const isPreview = dryRun === 'true';
    const more = isPreview || effects === 'true';
    const { successItems, failedItems } = reply.json.data;
    // Only the operation of the original contract omits positions and data.
    const [position, data] = path === creates ? [['position'], ['reason', 'data']] : [[], []];
    expect(successItems.map(Object.keys)).toEqual([
      ['payload', ...position, 'response', ...(more ? ['effect'] : [])],
    ]);
    expect(failedItems.map(Object.keys)).toEqual([['payload', ...position, 'error']]);
    expect(Object.keys(failedItems[0].error)).toEqual(['errorCode', 'message', 'detail', ...data]);
    expect(reply.headers.has('x-call-id')).toBe(!isPreview);
    const written = await changesOfRequest(service, requestId);
    expect(written).toHaveLength(isPreview ? 0 : 2); // for the user and for the call
  });

  test('any other value fails with 10005, and nothing is changed', async () => {
    for (const path of [creates, updates]) {
      const items = await twoItems(path);
      const headers = { 'x-request-id': newId('request') };
      for (const [query, detail] of [
        ['dryRun=1', /^"dryRun" must be one of true, false\.$/],
        ['dryrun=true', /^"dryrun" is unknown/],
        ['dryRun=true&dryRun=true', /^"dryRun" appears more than once\. Send it once\.$/],
        ['dryRun=true&effects=', /^"effects" must be one of true, false\.$/],
      ] as const) {
        const reply = await service.post(`${path}?${query}`, { items }, { headers });
        expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
      }
      expect(await changesOfRequest(service, headers['x-request-id'])).toEqual([]);
    }
  });
});

describe('without the flags, the exact report', () => {
  test('of creates is as expected', async () => {
    const { employeeID, serial: holder } = await service.givenUser();
    const first = aUser({ username: newId('u'), phone: '123', tagSerials: ['T1'], organizationSerial: 'O1' });
    const again = { ...first, name: 'Again' };
    const items = [first, again, aUser({ employeeID })];
    const reply = await service.createBulk(items);
    const { serial } = reply.json.data.successItems[0].response;
    // The fields of a payload are in contract order, whatever their order in the request.
    const payload = (user: Record<string, unknown>) =>
      `{"employeeID":"${user.employeeID}","name":"${user.name}","username":"${user.username}","email":"ada@example.com","phone":"123","isActive":true,"tagSerials":["T1"],"organizationSerial":"O1"}`;
    const told = (value: unknown, by: string, position: number | null, holderSerial: string) =>
      `"reason":"The employee ID \\"${value}\\" is already taken by ${by}.","data":{"takenBy":{"field":"employeeID","value":"${value}","position":${position},"serial":"${holderSerial}"}}`;
    expect(reply.text).toBe(
      `{"status":"success","message":"Bulk call processed.","data":{"successItems":[` +
        `{"payload":${payload(first)},"position":0,"response":{"serial":"${serial}"}}],"failedItems":[` +
        `{"payload":${payload(again)},"position":1,"error":{"errorCode":10101,"message":"USER_EMPLOYEE_ID_EXISTS","detail":"items[1]: the employee ID \\"${first.employeeID}\\" is already taken by items[0] of this call.",${told(first.employeeID, 'items[0] of this call', 0, serial)}}},` +
        `{"payload":{"employeeID":"${employeeID}","name":"Ada Lovelace","email":"ada@example.com","isActive":true},"position":2,"error":{"errorCode":10101,"message":"USER_EMPLOYEE_ID_EXISTS","detail":"items[2]: the employee ID \\"${employeeID}\\" is already taken by another user with the serial ${holder}.",${told(employeeID, `another user with the serial ${holder}`, null, holder)}}}]}}`,
    );
  });

  test('of updates keeps numbers as written', async () => {
    const [user, holder] = [await service.givenUser(), await service.givenUser()];
    const rawBody = `{"items":[{"isActive":true,"employeeID":"${user.employeeID}","name":"Ada","phone":"123","organizationSerial":"O1"},{"name":"Ada","isActive":true,"employeeID":"${user.employeeID}","newEmployeeID":"${holder.employeeID}"},{"name":1.50}]}`;
    const reply = await service.post(updates, undefined, { rawBody });
    expect(reply.text).toBe(
      `{"status":"success","message":"Bulk call processed.","data":{"successItems":[` +
        `{"payload":{"employeeID":"${user.employeeID}","name":"Ada","phone":"123","isActive":true},"response":{"serial":"${user.serial}"}}],"failedItems":[` +
        `{"payload":{"employeeID":"${user.employeeID}","name":"Ada","newEmployeeID":"${holder.employeeID}","isActive":true},"error":{"errorCode":10101,"message":"USER_EMPLOYEE_ID_EXISTS","detail":"items[1]: the employee ID \\"${holder.employeeID}\\" is already taken by another user with the serial ${holder.serial}."}},` +
        `{"payload":{"name":1.50},"error":{"errorCode":10106,"message":"USER_FIELD_REQUIRED","detail":"items[2]: \\"employeeID\\" is required. It must be a string of 1 to 64 characters from a-z, A-Z and 0-9."}}]}}`,
    );
  });

  test.each([creates, updates])('of an empty list is as expected: %s', async (path) => {
    for (const query of ['', '?dryRun=true', '?effects=true']) {
      const reply = await service.post(`${path}${query}`, { items: [] });
      expect(reply.text).toBe(
        '{"status":"success","message":"Bulk call processed.","data":{"successItems":[],"failedItems":[]}}',
      );
    }
  });
});
