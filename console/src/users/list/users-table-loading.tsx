import { Skeleton, Stack } from '@mantine/core';
import { texts } from '../../copy/index.js';

const rows = Array.from({ length: 12 }, (_, index) => index);

export function PeopleTableLoading() {
  return (
    <Stack gap="xs" role="status" aria-label={texts.common.loading}>
      {rows.map((row) => (
        <Skeleton key={row} height={32} />
      ))}
    </Stack>
  );
}
