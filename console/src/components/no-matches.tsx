import { Button } from '@mantine/core';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { EmptyState } from './empty-state.js';

interface NoMatchesProps {
  readonly clear?: string;
  readonly onClear: () => void;
}

export function NoMatches({ clear = commonCopy.clearFilters, onClear }: NoMatchesProps) {
  return (
    <EmptyState title={activityCopy.list.noMatches}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyState>
  );
}
