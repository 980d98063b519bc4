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

/** An item at fault in every way there is: nobody has its ID, its new names are taken, and no contact remains. */
async function wrongInEveryWay() {
  const other = await service.givenUser({ username: newId() });
  const user = await service.givenUser({ email: null, phone: '911' });
  const item = {
    employeeID: newId(),
    name: 'Never',
    newEmployeeID: other.employeeID,
    username: other.username,
    phone: null,
    isActive: true,
  };
  return { user, item };
}

type Item = Awaited<ReturnType<typeof wrongInEveryWay>>['item'];
/** Mends the item up to a point, or spoils it some more. */
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
  ['its shape, before all else', (item) => [item], notAnObject('not an array')],
  ['a field that is unknown', (item) => ({ ...item, isActive: 7, x: 1 }), fieldNotAccepted('"x"')],
  ['a field that is missing', ({ isActive, ...rest }) => rest, fieldRequired('"isActive"')],
  ['a field that is wrong', (item) => ({ ...item, isActive: 'yes' }), fieldInvalid('"isActive"')],
  ['that the user exists', (item) => item, userNotFound('no user has')],
  ['that the new employee ID is free', userExists, employeeIdExists('another user')],
  ['that the username is free', idIsFree, usernameExists('another user')],
  ['that contact remains', usernameIsFree, contactRequired('neither an email address nor a phone number')],
];

describe('the first failing check of an item decides its error', () => {
  test.each(checks)('%s', async (_, rework, error) => {
    const { user, item } = await wrongInEveryWay();
    const before = await service.readUser(user.serial);
    const reply = await service.updateBulk([rework(item, user)]);
    expectReport(reply, { serials: [], errors: [error] });
    expect(await service.readUser(user.serial)).toEqual(before);
  });

  test('and an item with every fault mended succeeds', async () => {
    const { user, item } = await wrongInEveryWay();
    const reply = await service.updateBulk([{ ...usernameIsFree(item, user), phone: '112' }]);
    expectReport(reply, { serials: [user.serial], errors: [] });
  });

  test('of several fields at fault, the first in the order of the contract is named', async () => {
    const fields = {
      employeeID: '-',
      name: 7,
      newEmployeeID: '-',
      username: '-',
      phone: '-',
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

describe('a check that does not apply is passed', () => {
  const withPhoneOnly = () => service.givenUser({ username: newId(), email: null, phone: '911' });

  test('the own employee ID and the own username are not taken', async () => {
    const user = await withPhoneOnly();
    const item = anItem(user, { newEmployeeID: user.employeeID, username: user.username });
    expectReport(await service.updateBulk([item]), { serials: [user.serial], errors: [] });
  });

  test('a user whose phone the item does not name keeps it as the contact', async () => {
    const user = await withPhoneOnly();
    expectReport(await service.updateBulk([anItem(user)]), { serials: [user.serial], errors: [] });
  });
});
