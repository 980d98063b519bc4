import { ConfirmDialog } from '../../components/dialog.js';
import { userCopy } from '../../copy/copy.js';
import type { VersionedUser } from '../data/user-queries.js';
import { useSetActive } from './use-set-active.js';

const copy = userCopy.reactivate;

export function ReactivateDialog({ fresh, onClose }: { fresh: VersionedUser; onClose: () => void }) {
  return (
    <ConfirmDialog
      title={copy.title(fresh.user.name)}
      confirm={copy.action}
      failed={copy.failed}
      action={useSetActive(fresh, true)}
      onClose={onClose}
    >
      {copy.hint}
    </ConfirmDialog>
  );
}
