import { Anchor, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { type ChartColor, cssColor } from '../charts/series.js';
import { Actor } from '../components/actor.js';
import { FieldChanges } from '../components/field-changes.js';
import { useUserNames } from '../components/user-cell.js';
import { activityCopy, commonCopy, changesCopy as copy } from '../copy/copy.js';
import { formatLongDate, formatTime } from '../copy/format.js';
import { byDay, type Change } from './changes.js';
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

const colors: Readonly<Record<Change['kind'], ChartColor>> = {
  created: 'green',
  updated: 'blue',
  rehired: 'violet',
  deleted: 'red',
  erased: 'red',
};

interface ChangeRowProps {
  readonly change: Change;
  /** Undefined until it is known, or if the user no longer has one. */
  readonly name: string | undefined;
}

function ChangeRow({ change, name }: ChangeRowProps) {
  const { kind, at, actor, callId, userSerial, employeeID, fields } = change;
  const isGone = kind === 'erased' || employeeID === '';
  return (
    <li className={styles.row}>
      <span className={styles.dot} style={{ background: cssColor(colors[kind]) }} aria-hidden />
      <div className={styles.main}>
        <div className={styles.head}>
          <Text span fw={600} size="sm">
            {isGone ? (
              copy.erasedUser
            ) : (
              <Anchor component={Link} href={`/users/${userSerial}`} inherit>
                {name ?? employeeID}
              </Anchor>
            )}
          </Text>
          {!isGone && name !== undefined && (
            <Text span size="sm" c="dimmed">
              {employeeID}
            </Text>
          )}
          <Text span size="sm">
            {commonCopy.changeKinds[kind]}
          </Text>
          <Text span size="sm" c="dimmed" className={styles.meta}>
            <Actor actor={actor} fallback={activityCopy.actors.service} isInline />
            {' · '}
            {callId && (
              <>
                <Anchor component={Link} href={`/activity/calls/${callId}`} inherit underline="always">
                  {copy.bulkCall}
                </Anchor>
                {' · '}
              </>
            )}
            <time dateTime={at}>{formatTime(at)}</time>
          </Text>
        </div>
        {!isGone && <FieldChanges fields={fields} kind={kind} />}
      </div>
    </li>
  );
}
