import { Button, Group, Text } from '@mantine/core';
import { useId } from 'react';
import { usersCopy } from '../../copy/copy.js';

interface SuggestionsProps {
  readonly searches: readonly string[];
  readonly onSearch: (search: string) => void;
}

/** Searches for names that are spelled almost like the one searched for. */
export function Suggestions({ searches, onSearch }: SuggestionsProps) {
  const titleId = useId();
  if (searches.length === 0) return null;
  return (
    <Group component="section" aria-labelledby={titleId} gap="xs" mb="xs">
      <Text id={titleId} size="sm">
        {usersCopy.didYouMean}
      </Text>
      {searches.map((search) => (
        <Button key={search} variant="light" size="compact-sm" onClick={() => onSearch(search)}>
          {search}
        </Button>
      ))}
    </Group>
  );
}
