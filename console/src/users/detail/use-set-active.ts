import { isRollcallError } from '@rollcall/client';
import { useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/notify.js';
import { userCopy } from '../../copy/copy.js';
import { saveUser, updateCachedUser, userQuery, type VersionedUser } from '../data/user-queries.js';

/** Changes the status now. If the user has been changed meanwhile, reads the user again. */
export function useSetActive(fresh: VersionedUser, isActive: boolean): () => Promise<void> {
  const queries = useQueryClient();
  const { user } = fresh;
  return async () => {
    try {
      const saved = await saveUser(fresh, { isActive });
      notify((isActive ? userCopy.reactivate : userCopy.deactivate).done(user.name));
      await updateCachedUser(queries, saved);
    } catch (error) {
      if (isRollcallError(error, 'REQUEST_PRECONDITION_FAILED')) {
        await queries.invalidateQueries({ queryKey: userQuery(user.serial).queryKey, exact: true });
      }
      throw error;
    }
  };
}
