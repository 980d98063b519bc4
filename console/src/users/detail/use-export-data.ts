import { useMutation } from '@tanstack/react-query';
import { downloadJson } from '../../components/download.js';
import { userCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import type { User } from '../data/user.js';

/** Downloads everything that is stored about a user, which they can demand. */
export function useExportData({ serial, employeeID }: User) {
  return useMutation({
    mutationFn: async () => {
      const { body } = await rollcall.call('getPersonalData', { path: { serial } });
      downloadJson(userCopy.personalData.file(employeeID), body.data);
    },
  });
}
