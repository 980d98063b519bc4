import { Anchor, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Problem } from '../../components/problem.js';
import { userCopy } from '../../copy/copy.js';
import { formatDate } from '../../copy/format.js';
import { employeeIdsQuery } from '../data/user-queries.js';
import { IdHistory } from './id-history.js';
import { Section } from './section.js';

const copy = userCopy.employeeIds;

/** The employee IDs that the user has and had. Nothing if there has only been one. */
export function EmployeeIds({ serial }: { serial: string }) {
  const { data: held, error, refetch } = useQuery(employeeIdsQuery(serial));
  const [opened, setOpened] = useState<string>();
  if (held !== undefined && held.length < 2) return null;
  if (held === undefined && error === null) return null;
  return (
    <Section title={copy.title}>
      {error !== null && <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} />}
      <Stack component="ul" gap={4} m={0} p={0} style={{ listStyle: 'none' }}>
        {held?.map(({ employeeID, since, until }) => (
          <li key={since}>
            <Anchor
              component="button"
              type="button"
              size="sm"
              aria-label={copy.open(employeeID)}
              onClick={() => setOpened(employeeID)}
            >
              {employeeID}
            </Anchor>
            <Text span size="sm" c="dimmed" ms="xs">
              {copy.period(formatDate(since), until === null ? undefined : formatDate(until))}
            </Text>
          </li>
        ))}
      </Stack>
      {opened !== undefined && <IdHistory employeeID={opened} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}
