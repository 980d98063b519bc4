import { Button, type ButtonProps, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { createUserCopy } from '../copy/copy.js';
import { formatDate } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import type { QuarantinedName } from './error-message.js';
import { Notice } from './notice.js';
import { notify } from './notify.js';
import { ActionProblem } from './problem.js';

const copy = createUserCopy.quarantine;

interface QuarantineNoticeProps {
  readonly name: QuarantinedName;
  readonly onReleased: () => void;
}

/** Says until when a name is kept, and lets administrators release it. */
export function QuarantineNotice({ name, onReleased }: QuarantineNoticeProps) {
  const mayRelease = usePermission('access:admin');
  const notice = useRef<HTMLDivElement>(null);
  // The form was submitted at its end, and this is at its beginning.
  useEffect(() => {
    notice.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <Notice color="yellow" role="status" title={copy.title(name.value)} ref={notice}>
      <Text size="sm" mb={mayRelease ? 'xs' : 0}>
        {(mayRelease ? copy.hint : copy.askAdministrator)(formatDate(name.quarantinedUntil))}
      </Text>
      <ReleaseName name={name} onReleased={onReleased} />
    </Notice>
  );
}

interface ReleaseNameProps {
  readonly name: Pick<QuarantinedName, 'field' | 'value'>;
  readonly onReleased: () => void;
  readonly size?: ButtonProps['size'];
  readonly tabIndex?: number;
}

/** Ends the quarantine of a name. Only administrators can do that. */
export function ReleaseName({
  name: { field, value },
  onReleased,
  size = 'sm',
  tabIndex = 0,
}: ReleaseNameProps) {
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
        tabIndex={tabIndex}
        loading={releasing.isPending}
        onClick={() => releasing.mutate()}
        style={{ justifySelf: 'start' }}
      >
        {copy.release(value)}
      </Button>
    </>
  );
}
