import { Button } from '@mantine/core';
import { texts } from '../copy/index.js';
import { EmptyState } from './empty-state.js';

export function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState title={texts.activity.list.nothingMatches}>
      <Button variant="default" onClick={onClear}>
        {texts.activity.list.clearFilters}
      </Button>
    </EmptyState>
  );
}
