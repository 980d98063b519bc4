import { Type } from 'typebox';
import { employeeIdField, nameField, usernameField } from './fields.js';
import { orNull, Serial, success, Timestamp } from './shapes.js';

const Holder = Type.Object(
  { serial: Serial, name: nameField.schema, since: Timestamp },
  { title: 'EmployeeIdHolder' },
);

const FormerHolder = Type.Object(
  {
    serial: Serial,
    since: Timestamp,
    until: Timestamp,
    newEmployeeID: Type.Union([employeeIdField.schema, Type.Null()], {
      description: 'The employee ID that replaced it; null if the user was removed.',
    }),
  },
  { title: 'FormerEmployeeIdHolder' },
);

const HeldEmployeeId = Type.Object(
  {
    employeeID: employeeIdField.schema,
    since: Timestamp,
    until: Type.Union([Timestamp, Type.Null()], { description: 'Null: the user has it now.' }),
  },
  { title: 'HeldEmployeeId' },
);

export const UserEmployeeIdsReply = success(
  'UserEmployeeIds',
  Type.Object({
    items: Type.Array(HeldEmployeeId, { description: 'Newest first; the first is the present one.' }),
  }),
);

export const EmployeeIdHistoryReply = success(
  'EmployeeIdHistory',
  Type.Object({
    employeeID: employeeIdField.schema,
    holder: Type.Union([Holder, Type.Null()], { description: 'The user who has it; null if it is free.' }),
    formerHolders: Type.Array(FormerHolder, { description: 'The users who had it before, newest first.' }),
    quarantinedUntil: orNull({
      ...Timestamp,
      description:
        'Until then, only the last of them can have it again. Null if it is taken or not quarantined.',
    }),
  }),
);

const wasQuarantinedUntil = orNull({
  ...Timestamp,
  description: 'Until when it was quarantined; null if it was not.',
});

export const ReleasedEmployeeIdReply = success(
  'ReleasedEmployeeId',
  Type.Object({ employeeID: employeeIdField.schema, wasQuarantinedUntil }),
);

export const ReleasedUsernameReply = success(
  'ReleasedUsername',
  Type.Object({ username: usernameField.schema, wasQuarantinedUntil }),
);
