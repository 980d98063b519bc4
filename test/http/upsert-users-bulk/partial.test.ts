import { describe, expect, test } from 'vitest';
import { errorsOf } from '../../support/bulk-reports.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';
import { contactRequired, fieldRequired, userNotFound } from '../../support/user-failures.js';

const service = useService();
const effectsOf = (reply: Reply) =>
  reply.json.data.successItems.map((entry: { effect: unknown }) => entry.effect);

describe('an item of a bulk upsert without name and isActive', () => {
  test('leaves them unchanged for a user who exists', async () => {
    const [active, inactive] = [await service.givenUser(), await service.givenUser({ isActive: false })];
    const reply = await service.upsertBulk(
      [
        { employeeID: active.employeeID, phone: '123' },
        { employeeID: inactive.employeeID, name: null, isActive: null, phone: '456' },
        { employeeID: active.employeeID },
      ],
      '?effects=true',
    );
    expect(effectsOf(reply)).toEqual([
      { kind: 'updated', fields: { phone: { before: null, after: '123' } } },
      { kind: 'updated', fields: { phone: { before: null, after: '456' } } },
      { kind: 'unchanged', fields: {} },
    ]);
    expect(await service.readUser(inactive.serial)).toMatchObject({ name: inactive.name, isActive: false });
  });

  test('fails for a new user who would have no name, and creates an active one otherwise', async () => {
    const [nameless, named, leaver] = [newId(), newId(), newId()];
    const reply = await service.upsertBulk([
      { employeeID: nameless, email: 'ada@example.com' },
      { employeeID: named, name: 'Ada Lovelace', email: 'ada@example.com' },
      { employeeID: leaver, isActive: false },
      { employeeID: newId(), newEmployeeID: newId(), name: 'Ada Lovelace' },
      { employeeID: newId(), name: 'Ada Lovelace' },
    ]);
    expect(errorsOf(reply)).toMatchObject([
      fieldRequired('items[0]: "name"'),
      fieldRequired('items[2]: "name"'),
      userNotFound('items[3]: '),
      contactRequired('items[4]: '),
    ]);
    const { json } = await service.post('/service/users/lookup', { employeeIDs: [nameless, named, leaver] });
    expect(json.data.items).toMatchObject([{ employeeID: named, isActive: true }]);
  });

  test('does not rehire an inactive user, and a rehire needs a name', async () => {
    const inactive = await service.givenUser({ isActive: false });
    const { employeeID } = inactive;
    const reply = await service.upsertBulk(
      [
        { employeeID, phone: '123' },
        { employeeID, isActive: true, email: 'ada@example.com' },
      ],
      '?rehire=true&effects=true',
    );
    expect(effectsOf(reply)).toMatchObject([{ kind: 'updated' }]);
    expect(errorsOf(reply)).toMatchObject([fieldRequired('items[1]: "name"')]);
  });

  test('adds up to a new user with the other items of a call with mode=finalState', async () => {
    const user = aUser();
    const { employeeID, email } = user;
    const reply = await service.upsertBulk(
      [
        { employeeID, email },
        { employeeID, name: 'Ada' },
      ],
      '?mode=finalState',
    );
    expect(errorsOf(reply)).toEqual([]);
    const { json } = await service.get(`/service/users?employeeID=${employeeID}`);
    expect(json.data.items).toMatchObject([{ name: 'Ada', email, isActive: true }]);
  });
});
