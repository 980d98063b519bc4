import { Button, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ActionProblem } from '../../components/action-problem.js';
import { Notice } from '../../components/notice.js';
import { notify } from '../../components/notify.js';
import { createUserCopy } from '../../copy/copy.js';
import { formatDate } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';

const copy = createUserCopy.quarantine;

export interface QuarantinedName {
  readonly field: 'employeeID' | 'username';
  readonly value: string;
  readonly quarantinedUntil: string;
}

/** The name that an error says is kept for its last holder. */
export function quarantinedName(error: unknown): QuarantinedName | undefined {
  return isRollcallError(error, 'USER_EMPLOYEE_ID_EXISTS', 'USER_USERNAME_EXISTS')
    ? error.data.quarantined
    : undefined;
}

interface QuarantineNoticeProps {
  readonly name: QuarantinedName;
  readonly onReleased: () => void;
}

/** Says until when a name is kept, and lets administrators release it. */
export function QuarantineNotice({ name, onReleased }: QuarantineNoticeProps) {
  const { field, value, quarantinedUntil } = name;
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
  const notice = useRef<HTMLDivElement>(null);
  // The form was submitted at its end, and this is at its beginning.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Notice color="yellow" role="status" title={copy.title(value)} ref={notice}>
      <Text size="sm" mb={mayRelease ? 'xs' : 0}>
        {(mayRelease ? copy.hint : copy.askAdministrator)(formatDate(quarantinedUntil))}
      </Text>
      <ActionProblem title={copy.failed} error={releasing.error} />
      {mayRelease && (
        <Button variant="default" loading={releasing.isPending} onClick={() => releasing.mutate()}>
          {copy.release(value)}
        </Button>
      )}
    </Notice>
  );
}
