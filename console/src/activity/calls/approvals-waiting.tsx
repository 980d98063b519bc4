import { Button, Group, Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { useApprovals } from '../../components/use-approvals.js';
import { plannedCopy as copy } from '../../copy/copy.js';

/** How many calls await approval, and by whom, if any. */
export function ApprovalsWaiting({ onView }: { onView: () => void }) {
  const { toDecide = 0, ofOthers = 0 } = useApprovals() ?? {};
  if (toDecide + ofOthers === 0) return null;
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <Notice color="yellow" role="status">
        <Group justify="space-between">
          <div>
            {toDecide > 0 && (
              <Text size="sm" fw={600}>
                {copy.toDecide(toDecide)}
              </Text>
            )}
            {ofOthers > 0 && <Text size="sm">{copy.ofOthers(ofOthers)}</Text>}
          </div>
          <Button size="xs" variant="default" onClick={onView}>
            {copy.view}
          </Button>
        </Group>
      </Notice>
    </div>
  );
}
