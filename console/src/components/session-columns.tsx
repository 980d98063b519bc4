import { Badge, Button } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { sessionsCopy as copy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import type { Column } from './paged-list.js';

export type Session = Schemas['Session'];

export const sessionColumns: readonly Column<Session>[] = [
  { header: copy.device, cell: deviceOf },
  { header: copy.address, isShort: true, cell: ({ address }) => address ?? '' },
  { header: copy.signedIn, isShort: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
  { header: copy.lastSeen, isShort: true, cell: ({ lastSeenAt }) => formatDateTime(lastSeenAt) },
];

/** The session of the page ends by signing out. */
export function endColumn(end: (session: Session) => void): Column<Session> {
  return {
    header: copy.actions,
    isNumber: true,
    cell: (session) =>
      session.isCurrent ? (
        <Badge variant="light">{copy.current}</Badge>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={copy.endOf(deviceOf(session))}
          onClick={() => end(session)}
        >
          {copy.end}
        </Button>
      ),
  };
}

function deviceOf({ device }: Session): string {
  return device ?? copy.unknownDevice;
}
