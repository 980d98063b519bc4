import { Anchor, Skeleton, Stack, Table, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { useUserName } from '../../components/actor.js';
import { Dialog } from '../../components/dialog.js';
import { Problem } from '../../components/problem.js';
import { ScrollRegion } from '../../components/scroll-region.js';
import { Section } from '../../components/section.js';
import { userCopy } from '../../copy/copy.js';
import { formatDate, formatDateTime } from '../../copy/format.js';
import { employeeIdsQuery, idHistoryQuery } from '../data/user-queries.js';

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

type History = Schemas['EmployeeIdHistory']['data'];

/** Who has an employee ID, and who had it before. */
function IdHistory({ employeeID, onClose }: { employeeID: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery(idHistoryQuery(employeeID));
  return (
    <Dialog onClose={onClose} title={copy.historyOf(employeeID)} size="lg">
      {error !== null && <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} />}
      {data ? <Holders history={data} onLeave={onClose} /> : error === null && <Skeleton height={120} />}
    </Dialog>
  );
}

function Holders({ history, onLeave }: { history: History; onLeave: () => void }) {
  const { holder, formerHolders } = history;
  return (
    <>
      {holder === null && (
        <Text size="sm" mb="sm">
          {copy.free}
        </Text>
      )}
      <ScrollRegion label={copy.historyOf(history.employeeID)}>
        <Table verticalSpacing="xs" aria-label={copy.historyOf(history.employeeID)}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{copy.user}</Table.Th>
              <Table.Th>{copy.since}</Table.Th>
              <Table.Th>{copy.until}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {holder && (
              <Table.Tr>
                <Table.Td>
                  <HolderLink serial={holder.serial} onLeave={onLeave} />
                </Table.Td>
                <Table.Td>{formatDateTime(holder.since)}</Table.Td>
                <Table.Td>{copy.now}</Table.Td>
              </Table.Tr>
            )}
            {formerHolders.map(({ serial, since, until, newEmployeeID }) => (
              <Table.Tr key={until}>
                <Table.Td>
                  <HolderLink serial={serial} onLeave={onLeave} />
                </Table.Td>
                <Table.Td>{formatDateTime(since)}</Table.Td>
                <Table.Td>
                  {formatDateTime(until)}
                  <Text size="xs" c="dimmed">
                    {copy.next(newEmployeeID)}
                  </Text>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </>
  );
}

function HolderLink({ serial, onLeave }: { serial: string; onLeave: () => void }) {
  const { data: name } = useUserName(serial);
  return (
    <Anchor component={Link} href={`/users/${serial}`} size="sm" onClick={onLeave}>
      {name ?? copy.unnamed}
    </Anchor>
  );
}
