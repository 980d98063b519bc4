import { describe, expect, test } from 'vitest';
import { serialsOf } from '../../support/bulk-reports.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

/** What an HR system knows about an employee. */
interface Employee {
  readonly employeeID: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly username?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly tagSerials?: readonly string[];
  readonly organizationSerial?: string;
}

const optionalFields = [
  'newEmployeeID',
  'username',
  'email',
  'phone',
  'password',
  'tagSerials',
  'organizationSerial',
] as const;
const notAccepted = { create: ['newEmployeeID'], update: ['email', 'password'] };

type Style = (employee: Employee, operation: 'create' | 'update') => Record<string, unknown>;

/** How programs serialize one type for both operations. */
const styles: Record<string, Style> = {
  'Java-like: one class whose unset fields are null': (employee, operation) => ({
    ...Object.fromEntries(optionalFields.map((field) => [field, null])),
    ...employee,
    ...(operation === 'update' && { email: null }),
  }),
  'Python-like: a dictionary without unset fields': ({ email, ...employee }, operation) =>
    operation === 'create' ? { email, ...employee } : employee,
  'spreadsheet-like: a row with an empty string for each empty cell': (employee, operation) => {
    const columns = optionalFields.filter((field) => !notAccepted[operation].includes(field));
    const row = Object.fromEntries(columns.map((field) => [field, field === 'tagSerials' ? [] : '']));
    const { email, ...others } = employee;
    return { ...row, ...others, ...(operation === 'create' && { email }) };
  },
};

describe.each(Object.entries(styles))('%s', (_, serialized) => {
  test('creates users and updates them without losing data', async () => {
    const employees: Employee[] = [
      {
        employeeID: newId(),
        name: 'Ada Lovelace',
        isActive: true,
        username: newId(),
        email: 'ada@example.com',
        phone: '030/12345 ext 5',
        tagSerials: ['T1', 'T2'],
        organizationSerial: 'ORG7',
      },
      { employeeID: newId(), name: 'Grace Hopper', isActive: true, email: 'grace_hopper@mail_1.example.com' },
    ];
    const serials: string[] = [];
    for (const employee of employees) {
      const reply = await service.post('/service/users', serialized(employee, 'create'));
      expect(reply.text).toContain('"status":"success"');
      serials.push(reply.json.data.serial);
    }
    const leavers = employees.map((employee) => ({
      ...employee,
      name: `${employee.name} †`,
      isActive: false,
    }));
    const reply = await service.updateBulk(leavers.map((employee) => serialized(employee, 'update')));
    expect(reply.json.data.failedItems).toEqual([]);
    expect(serialsOf(reply)).toEqual(serials);
    const empty = { username: null, email: null, phone: null, tagSerials: [], organizationSerial: null };
    for (const [at, serial] of serials.entries())
      expect(await service.readUser(serial)).toMatchObject({ ...empty, ...leavers[at] });
  });
});

test('a caller that only knows the names and leaves the rest null keeps everything', async () => {
  const user = await service.givenUser({
    username: newId(),
    phone: '+44 20 7946 0958',
    tagSerials: ['T1'],
    organizationSerial: 'ORG7',
  });
  const before = await service.readUser(user.serial);
  const nulls = Object.fromEntries(optionalFields.map((field) => [field, null]));
  const item = { ...nulls, employeeID: user.employeeID, name: 'Ada King', isActive: true };
  const reply = await service.updateBulk([item]);
  expect(serialsOf(reply)).toEqual([user.serial]);
  const { updatedAt: _, ...after } = await service.readUser(user.serial);
  expect({ ...before, name: 'Ada King' }).toMatchObject(after);
});
