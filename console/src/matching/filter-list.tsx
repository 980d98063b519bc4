import { List, Text } from '@mantine/core';
import { matchingCopy } from '../copy/copy.js';

/** The filters that select the users, in words. */
export function FilterList({ filters }: { filters: readonly string[] }) {
  return (
    <div>
      <Text size="sm">{matchingCopy.filters(filters.length)}</Text>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {filters.map((filter) => (
          <List.Item key={filter}>{filter}</List.Item>
        ))}
      </List>
    </div>
  );
}
