import { describe, expect, test } from 'vitest';
import { expectReport } from '../../support/bulk-reports.js';
import { anItem, newId, useService } from '../../support/service.js';
import {
  contactRequired,
  employeeIdExists,
  fieldInvalid,
  fieldNotAccepted,
  fieldRequired,
  notAnObject,
  userNotFound,
  usernameExists,
} from '../../support/user-failures.js';

const service = useService();

/** An item with every possible fault: an unknown ID, taken names and no remaining contact. */
async function wrongInEveryWay() {
  const other = await service.givenUser({ username: newId() });
  const user = await service.givenUser({ email: null, phone: '911' });
  const item = {
    employeeID: newId(),
    name: 'Never',
    newEmployeeID: other.employeeID,
    username: other.username,
    phone: '',
    isActive: true,
  };
  return { user, item };
}

type Item = Awaited<ReturnType<typeof wrongInEveryWay>>['item'];
/** Fixes the item up to a point, or adds faults. */
type Rework = (item: Item, user: { employeeID: string }) => unknown;

const userExists = (item: Item, { employeeID }: { employeeID: string }) => ({ ...item, employeeID });
const idIsFree = (item: Item, user: { employeeID: string }) => ({
  ...userExists(item, user),
  newEmployeeID: newId(),
});
const usernameIsFree = (item: Item, user: { employeeID: string }) => ({
  ...idIsFree(item, user),
  username: newId(),
});

const checks: [check: string, rework: Rework, error: object][] = [
  ['its type, before anything else', (item) => [item], notAnObject('not an array')],
  ['an unknown field', (item) => ({ ...item, isActive: 7, x: 1 }), fieldNotAccepted('"x"')],
  ['a missing field', ({ isActive, ...rest }) => rest, fieldRequired('"isActive"')],
  ['an invalid field', (item) => ({ ...item, isActive: 'yes' }), fieldInvalid('"isActive"')],
  ['that the user exists', (item) => item, userNotFound('no user has')],
  ['that the new employee ID is free', userExists, employeeIdExists('another user')],
  ['that the username is free', idIsFree, usernameExists('another user')],
  ['that a contact remains', usernameIsFree, contactRequired('neither an email address nor a phone number')],
];

describe('the first failing check of an item decides its error', () => {
  test.each(checks)('%s', async (_, rework, error) => {
    const { user, item } = await wrongInEveryWay();
    const before = await service.readUser(user.serial);
    const reply = await service.updateBulk([rework(item, user)]);
    expectReport(reply, { serials: [], errors: [error] });
    expect(await service.readUser(user.serial)).toEqual(before);
  });

  test('and an item with every fault fixed succeeds', async () => {
    const { user, item } = await wrongInEveryWay();
    const reply = await service.updateBulk([{ ...usernameIsFree(item, user), phone: '112' }]);
    expectReport(reply, { serials: [user.serial], errors: [] });
  });

  test('and of several invalid fields, the first in contract order is named', async () => {
    const fields = {
      employeeID: '-',
      name: 7,
      newEmployeeID: '-',
      username: '-',
      phone: 7,
      isActive: 7,
      tagSerials: 7,
      organizationSerial: 7,
    };
    const names = Object.keys(fields);
    const valid = { employeeID: newId(), name: 'Ada', isActive: true };
    const items = names.map((_, first) => ({
      ...Object.fromEntries(Object.entries(fields).slice(first).reverse()),
      ...Object.fromEntries(Object.entries(valid).filter(([name]) => names.indexOf(name) < first)),
    }));
    const reply = await service.updateBulk(items);
    expectReport(reply, {
      serials: [],
      errors: names.map((name, position) => fieldInvalid(`items[${position}]: "${name}" must `)),
    });
  });
});

describe('a check that does not apply passes', () => {
  const withPhoneOnly = () => service.givenUser({ username: newId(), email: null, phone: '911' });

  test('a user may keep the same employee ID and username', async () => {
    const user = await withPhoneOnly();
    const item = anItem(user, { newEmployeeID: user.employeeID, username: user.username });
    expectReport(await service.updateBulk([item]), { serials: [user.serial], errors: [] });
  });

  test('a user keeps a phone that the item omits as the contact', async () => {
    const user = await withPhoneOnly();
    expectReport(await service.updateBulk([anItem(user)]), { serials: [user.serial], errors: [] });
  });
});
