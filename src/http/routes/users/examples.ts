import { changeableFields, fieldRows, type UserValues } from '../../../contract/user-values.js';

export const exampleSerial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

export const exampleUser = Object.fromEntries(
  changeableFields.map((name) => [name, fieldRows[name].example]),
) as unknown as UserValues;

export const exampleUserView = {
  serial: exampleSerial,
  ...exampleUser,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};
