import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { newId, type TestService } from '../../support/service.js';
import { givenFile } from './sync-command.js';

/** A file from before its user was renamed and somebody else got the employee ID. */
export async function givenLateFile(service: TestService) {
  const [old, next] = [newId('A'), newId('B')];
  const leaver = await service.givenUser({ employeeID: old, name: 'Leaver' });
  await pause(10);
  const file = givenFile(`employeeID,isActive\n${old},false\n`);
  const written = new Date();
  await pause(10);
  await service.post('/service/users/update-bulk', {
    items: [{ employeeID: old, newEmployeeID: next, name: 'Leaver', isActive: true }],
  });
  const hire = await service.givenUser({ employeeID: old, name: 'Hire' });
  utimesSync(join(file.home, file.name), written, written);
  return { file, old, next, leaver, hire, written };
}
