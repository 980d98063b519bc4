import { Skeleton, Stack, Title } from '@mantine/core';
import { useUserNames } from '../components/user-names.js';
import { commonCopy, changesCopy as copy } from '../copy/copy.js';
import { formatLongDate } from '../copy/format.js';
import { byDay } from './by-day.js';
import type { Change } from './change-filters.js';
import { ChangeRow } from './change-row.js';
import styles from './changes.module.css';

/** Changes, grouped by day. */
export function ChangesFeed({ changes }: { changes: readonly Change[] }) {
  const nameOf = useUserNames(changes.map(reported));
  return (
    <section aria-label={copy.feed}>
      {byDay(changes).map(({ at, items }) => (
        <div key={at} className={styles.day}>
          <Title order={2} size="h5" className={styles.dayTitle}>
            {formatLongDate(at)}
          </Title>
          <ol className={styles.list}>
            {items.map((change) => (
              <ChangeRow key={change.sequence} change={change} name={nameOf(reported(change))} />
            ))}
          </ol>
        </div>
      ))}
    </section>
  );
}

function reported({ userSerial, employeeID, fields }: Change) {
  return { serial: userSerial, employeeID, fields };
}

export function FeedLoading() {
  return (
    <Stack role="status" aria-label={commonCopy.loading}>
      {['a', 'b', 'c', 'd', 'e'].map((key) => (
        <Skeleton key={key} height={64} />
      ))}
    </Stack>
  );
}
