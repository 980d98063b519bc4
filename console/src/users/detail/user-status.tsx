import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { userCopy } from '../../copy/copy.js';
import type { VersionedUser } from '../data/user-queries.js';
import { DeactivateDialog } from './deactivate-dialog.js';
import { ReactivateDialog } from './reactivate-dialog.js';

export function UserStatus({ fresh, mayChange }: { fresh: VersionedUser; mayChange: boolean }) {
  const { isActive } = fresh.user;
  const [isOpen, { open, close }] = useDisclosure();
  const Change = isActive ? DeactivateDialog : ReactivateDialog;
  return (
    <>
      <Text size="sm" mb={mayChange ? 'sm' : 0}>
        {isActive ? userCopy.isActive : userCopy.isInactive}
      </Text>
      {mayChange && (
        <Button variant="default" onClick={open}>
          {isActive ? userCopy.deactivate.action : userCopy.reactivate.action}
        </Button>
      )}
      {isOpen && <Change fresh={fresh} onClose={close} />}
    </>
  );
}
