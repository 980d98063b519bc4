import { Button } from '@mantine/core';
import { activityCopy } from '../copy/activity.js';
import { commonCopy } from '../copy/common.js';
import { EmptyState } from './empty-state.js';

export function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title={activityCopy.list.noMatches}>
      <Button variant="default" onClick={onClear}>
        {commonCopy.clearFilters}
      </Button>
    </EmptyState>
  );
}
