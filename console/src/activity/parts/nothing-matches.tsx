import { Button } from '@mantine/core';
import { EmptyState } from '../../parts/empty-state.js';
import { texts } from '../../texts/index.js';

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title={texts.activity.list.nothingMatches}>
      <Button variant="default" onClick={onClear}>
        {texts.activity.list.clearFilters}
      </Button>
    </EmptyState>
  );
}
