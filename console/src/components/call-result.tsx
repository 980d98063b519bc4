import { Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { commonCopy, homeCopy } from '../copy/copy.js';

const copy = homeCopy.recent;

/** How many users a call changed, or will change. */
export function CallResult({ call: { state, items, succeeded, failed } }: { call: Schemas['Call'] }) {
  if (state === 'cancelled' || state === 'expired') return commonCopy.none;
  if (state === 'planned' || state === 'awaitingApproval') return copy.planned(items);
  return (
    <>
      {copy.succeeded(succeeded)}
      {failed > 0 && (
        <Text span inherit fw={700} c="var(--mantine-color-error)">
          {' · '}
          {copy.failed(failed)}
        </Text>
      )}
    </>
  );
}
