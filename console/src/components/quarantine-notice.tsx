import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { createUserCopy } from '../copy/copy.js';
import { formatDate } from '../copy/format.js';
import { usePermission } from '../session/session.js';
import { Notice } from './notice.js';
import type { QuarantinedName } from './quarantined-name.js';
import { ReleaseName } from './release-name.js';

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
