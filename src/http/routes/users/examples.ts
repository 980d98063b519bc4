import { fieldRows, type PlainField, sentFields, type UserValues } from '../../../contract/user-values.js';

export const exampleSerial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

/** Managers have to exist, and attributes have to be defined, so the example has neither. */
export const exampleUser = Object.fromEntries(
  sentFields.map((name) => [name, fieldRows[name].example]),
) as unknown as Pick<UserValues, Exclude<PlainField, 'signInName'>>;

export const exampleUserView = {
  serial: exampleSerial,
  ...exampleUser,
  signInName: null,
  manager: {
    serial: fieldRows.managerSerial.example,
    employeeID: fieldRows.managerEmployeeID.example,
    name: 'Grace Hopper',
  },
  attributes: fieldRows.attributes.example,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};
