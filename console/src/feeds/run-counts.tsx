import { Paper, SimpleGrid, Text, Title } from '@mantine/core';
import type { Run } from '../components/feeds.js';
import { formatNumber } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { tense } from './feed.js';
import styles from './feeds.module.css';
import { fieldName } from './problem-text.js';

const copy = feedsCopy.counts;

export const rowKinds = [
  ...(['created', 'rehired', 'updated', 'renamed', 'deactivated', 'reactivated'] as const),
  ...(['planned', 'skipped', 'failed', 'unchanged'] as const),
];
export type RowKind = (typeof rowKinds)[number];

/** What became of the rows, or would become of them. Kinds that did not occur are left out. */
export function RunCounts({ run }: { run: Run }) {
  const found = rowKinds.filter((kind) => run.counts[kind] > 0);
  const title = copy.title[tense(run)];
  if (found.length === 0) return null;
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
      <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }} spacing="sm">
        {found.map((kind) => (
          <Paper key={kind} withBorder p="sm">
            <Text size="sm" c="dimmed">
              {copy[kind]}
            </Text>
            <Text
              className={styles.number ?? ''}
              {...(kind === 'failed' && { c: 'var(--mantine-color-error)' })}
            >
              {formatNumber(run.counts[kind])}
            </Text>
          </Paper>
        ))}
      </SimpleGrid>
      <ChangedFields changed={run.changed} />
    </section>
  );
}

/** The fields that changed most come first. */
function ChangedFields({ changed }: Pick<Run, 'changed'>) {
  const fields = Object.entries(changed).sort(([, one], [, other]) => other - one);
  if (fields.length === 0) return null;
  const texts = fields.map(([field, count]) => copy.changedFor(fieldName(field), count));
  return (
    <Text size="sm" mt="sm">
      <Text span inherit c="dimmed">
        {copy.changedFields}
        {': '}
      </Text>
      {texts.join(' · ')}
    </Text>
  );
}
