import { Skeleton, Stack } from '@mantine/core';
import { commonCopy } from '../../copy/copy.js';

const rows = Array.from({ length: 12 }, (_, index) => index);

export function UsersTableLoading() {
  return (
    <Stack gap="xs" role="status" aria-label={commonCopy.loading}>
      {rows.map((row) => (
        <Skeleton key={row} height={32} />
      ))}
    </Stack>
  );
}
