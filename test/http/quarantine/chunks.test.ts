import { expect, test } from 'vitest';
import { failuresOf } from '../../support/calls.js';
import { quarantineSettings } from '../../support/quarantine.js';
import { newId, useOwnService } from '../../support/service.js';

const service = useOwnService({ ...quarantineSettings, ROLLCALL_BULK_CHUNK_ITEMS: '1' });

const renaming = (employeeID: string, newEmployeeID: string) => ({
  employeeID,
  newEmployeeID,
  name: 'Renamed',
  isActive: true,
});

test('a name that an earlier transaction of the call released is quarantined, even if it was held only in between', async () => {
  const [{ employeeID: a }, { employeeID: b }, { employeeID: c }] = [
    await service.givenUser(),
    await service.givenUser(),
    await service.givenUser(),
  ];
  const between = newId();
  const items = [renaming(a, between), renaming(between, newId()), renaming(b, a), renaming(c, between)];
  const reply = await service.updateBulk(items, '?details=true');
  expect(failuresOf(reply).map(({ error }) => error)).toMatchObject([
    { errorCode: 10101, data: { quarantined: { value: a, position: 0 } } },
    { errorCode: 10101, data: { quarantined: { value: between, position: 1 } } },
  ]);
});

test('a call that is resumed still knows which item released a name', async () => {
  const [{ employeeID: a }, { employeeID: b }] = [await service.givenUser(), await service.givenUser()];
  const headers = { 'idempotency-key': newId() };
  const items = [renaming(a, newId()), renaming(b, a)];
  const send = () => service.post('/service/users/update-bulk?details=true', { items }, { headers });
  const first = await send();
  expect(failuresOf(first)[0]?.error).toMatchObject({ data: { quarantined: { position: 0 } } });
  const replay = await send();
  expect(replay.text).toBe(first.text);
});
