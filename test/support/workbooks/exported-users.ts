import { givenEntry } from '../directories.js';
import type { TestService } from '../service.js';

/**
 * The users of libreoffice-export.xlsx: exported by the console as a workbook, with organizations and tags by name, and
 * saved by LibreOffice 7.4 (`soffice --headless --convert-to xlsx`). Their values tempt a spreadsheet to change them.
 */
export const exportedUsers = [
  {
    ...{ employeeID: '000815', name: 'Zoë Müller-Nguyễn', username: '007', email: 'zoe@export.example' },
    ...{ phone: '+49 40 1234', organizationSerial: 'ORG7', tagSerials: ['T1', 'T2'] },
  },
  {
    ...{ employeeID: '1E5', name: '=1+1', email: 'sean@export.example', phone: '040/1234', isActive: false },
    ...{ organizationSerial: 'ORG8', tagSerials: ['T3'] },
  },
  {
    ...{ employeeID: '12345678901234567890', name: '3/4', username: 'TRUE', email: 'taro@export.example' },
    ...{ organizationSerial: 'ORG9', tagSerials: ['T1'] },
  },
  {
    ...{ employeeID: '0', name: '"Ada", King', email: 'ada@export.example', phone: '0049 40 1234' },
    ...{ organizationSerial: 'ORG10' },
  },
];

/** Some have the same name, or the serial of another as their name. */
export async function givenExportedUsers(service: TestService): Promise<void> {
  const names = { ORG7: 'Sales, Berlin', ORG8: 'Twin', ORG9: 'twin', ORG10: '11-12', ORG11: 'ORG10' };
  for (const [serial, displayName] of Object.entries(names)) {
    await givenEntry(service, 'organizations', serial, { displayName });
  }
  await givenEntry(service, 'tags', 'T1', { displayName: 'First aid, 2nd floor' });
  await givenEntry(service, 'tags', 'T3', { displayName: '0008151' });
  for (const user of exportedUsers) await service.givenUser(user);
}
