import { Button, type ButtonProps } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { createUserCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { ActionProblem } from './action-problem.js';
import { notify } from './notify.js';
import type { QuarantinedName } from './quarantined-name.js';

const copy = createUserCopy.quarantine;

interface ReleaseNameProps {
  readonly name: Pick<QuarantinedName, 'field' | 'value'>;
  readonly onReleased: () => void;
  readonly size?: ButtonProps['size'];
}

/** Ends the quarantine of a name. Only administrators can do that. */
export function ReleaseName({ name: { field, value }, onReleased, size = 'sm' }: ReleaseNameProps) {
  const mayRelease = usePermission('access:admin');
  const releasing = useMutation({
    mutationFn: async () => {
      if (field === 'employeeID') await rollcall.call('releaseEmployeeId', { path: { employeeID: value } });
      else await rollcall.call('releaseUsername', { path: { username: value } });
    },
    onSuccess: () => {
      notify(copy.released(value));
      onReleased();
    },
  });
  if (!mayRelease) return null;
  return (
    <>
      <ActionProblem title={copy.failed} error={releasing.error} />
      <Button
        variant="default"
        size={size}
        loading={releasing.isPending}
        onClick={() => releasing.mutate()}
        style={{ justifySelf: 'start' }}
      >
        {copy.release(value)}
      </Button>
    </>
  );
}
