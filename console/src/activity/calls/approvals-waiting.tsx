import { Button, Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Notice } from '../../components/notice.js';
import { plannedCopy as copy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';

const countedMax = 200;

/** How many calls await approval, if any. */
export function ApprovalsWaiting({ onView }: { onView: () => void }) {
  const { data: count = 0 } = useQuery({
    queryKey: ['activity', 'approvals'],
    queryFn: async ({ signal }) => {
      const query = { state: 'awaitingApproval', limit: countedMax } as const;
      return (await rollcall.call('listCalls', { query, signal })).body.data.items.length;
    },
  });
  if (count === 0) return null;
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <Notice color="yellow" role="status">
        <Group justify="space-between">
          <Text size="sm">{copy.waiting(count)}</Text>
          <Button size="xs" variant="default" onClick={onView}>
            {copy.view}
          </Button>
        </Group>
      </Notice>
    </div>
  );
}
