import { Paper, SimpleGrid, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { dayRange } from '../components/day-range.js';
import { homeCopy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import styles from './home.module.css';
import type { Statistics } from './statistics.js';

const copy = homeCopy.tiles;

/** The most important numbers, each with a link to exactly what it counts. What was undone is in none of them. */
export function Tiles({ statistics: { users, days } }: { statistics: Statistics }) {
  const [first] = days;
  const created = useQuery({
    queryKey: ['users', 'created-since', first?.day],
    queryFn: async ({ signal }) => {
      const since = dayRange(first?.day ?? '', null).since;
      const query = {
        ...(since === undefined ? {} : { createdSince: since }),
        total: 'exact',
        limit: 1,
      } as const;
      return (await rollcall.call('listUsers', { query, signal })).body.data.total?.count ?? 0;
    },
    enabled: first !== undefined,
  });
  if (!first) return null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
      <Tile
        label={copy.active}
        value={users.active}
        note={growth(users.active - first.users.active, days.length)}
        href="/users?status=active"
      />
      <Tile
        label={copy.inactive}
        value={users.inactive}
        note={growth(users.inactive - first.users.inactive, days.length)}
        href="/users?status=inactive"
      />
      <Tile
        label={copy.created}
        value={created.data}
        note={copy.inDays(days.length)}
        href={`/users?createdFrom=${first.day}`}
      />
    </SimpleGrid>
  );
}

function growth(difference: number, days: number): string {
  if (difference === 0) return copy.same(days);
  return difference > 0 ? copy.more(difference, days) : copy.fewer(-difference, days);
}

interface TileProps {
  readonly label: string;
  /** Undefined while it is counted. */
  readonly value: number | undefined;
  readonly note: string;
  readonly href: string;
}

function Tile({ label, value, note, href }: TileProps) {
  return (
    <Paper withBorder p="md" component={Link} href={href} className={styles.link}>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className={styles.number}>{value === undefined ? '…' : formatNumber(value)}</Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </Paper>
  );
}
