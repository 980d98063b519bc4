import { Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from 'wouter';
import { homeCopy } from '../copy/copy.js';
import { formatNumber } from '../copy/format.js';
import { usePermission } from '../session/session.js';
import styles from './home.module.css';
import type { Statistics } from './statistics.js';

const copy = homeCopy.tiles;

/** The most important numbers, each with a link to what it counts. */
export function Tiles({ statistics: { users, days } }: { statistics: Statistics }) {
  const maySeeChanges = usePermission('audit:read');
  const [first, last] = [days[0], days.at(-1)];
  if (!first || !last) return null;
  const sum = (kind: 'created' | 'deactivated') => days.reduce((total, day) => total + day.changes[kind], 0);
  const changes = (query: string) =>
    maySeeChanges ? `/changes?${query}&from=${first.day}&until=${last.day}` : undefined;
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }} spacing="md">
      <Tile
        label={copy.active}
        value={users.active}
        note={growth(users.active - first.users.active)}
        href="/users?status=active"
      />
      <Tile
        label={copy.inactive}
        value={users.inactive}
        note={growth(users.inactive - first.users.inactive)}
        href="/users?status=inactive"
      />
      <Tile
        label={copy.created}
        value={sum('created')}
        note={copy.inDays(days.length)}
        href={changes('kind=created')}
      />
      <Tile
        label={copy.deactivated}
        value={sum('deactivated')}
        note={copy.inDays(days.length)}
        href={changes('kind=updated&field=isActive')}
      />
    </SimpleGrid>
  );
}

function growth(difference: number): string {
  if (difference === 0) return copy.same;
  return difference > 0 ? copy.more(difference) : copy.fewer(-difference);
}

interface TileProps {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  readonly href: string | undefined;
}

function Tile({ label, value, note, href }: TileProps) {
  const content = (
    <>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text className={styles.number}>{formatNumber(value)}</Text>
      <Text size="xs" c="dimmed">
        {note}
      </Text>
    </>
  );
  return href === undefined ? (
    <Paper withBorder p="md">
      {content}
    </Paper>
  ) : (
    <Paper withBorder p="md" component={Link} href={href} className={styles.link}>
      {content}
    </Paper>
  );
}
