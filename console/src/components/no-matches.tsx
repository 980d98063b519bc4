import { Button } from '@mantine/core';
import { activityCopy } from '../copy/activity.js';
import { EmptyState } from './empty-state.js';

export function NoMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title={activityCopy.list.nothingMatches}>
      <Button variant="default" onClick={onClear}>
        {activityCopy.list.clearFilters}
      </Button>
    </EmptyState>
  );
}
