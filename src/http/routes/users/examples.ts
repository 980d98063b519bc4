export const exampleSerial = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';

export const exampleUser = {
  employeeID: 'E1001',
  name: 'Ada Lovelace',
  username: 'ada',
  email: 'ada@example.com',
  phone: '+44 20 7946 0958',
  isActive: true,
  tagSerials: ['T1', 'T2'],
  organizationSerial: 'ORG7',
};

export const exampleUserView = {
  serial: exampleSerial,
  ...exampleUser,
  createdAt: '2026-11-15T08:30:00.000Z',
  updatedAt: '2026-11-15T08:30:00.000Z',
};
