import { Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { commonCopy, homeCopy } from '../copy/copy.js';

const copy = homeCopy.recent;

/** How much a call changed, or will change. Erasing users is no change of them. */
export function CallResult({
  call: { kind, state, items, succeeded, failed, changes },
}: {
  call: Schemas['Call'];
}) {
  if (state === 'cancelled' || state === 'expired') return commonCopy.none;
  if (state === 'planned' || state === 'awaitingApproval') return copy.planned(items);
  return (
    <>
      {kind === 'erase-bulk' ? copy.succeeded(succeeded) : copy.changes(changes)}
      {failed > 0 && (
        <Text span inherit fw={700} c="var(--mantine-color-error)">
          {' · '}
          {copy.failed(failed)}
        </Text>
      )}
    </>
  );
}
