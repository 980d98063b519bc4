import { Text } from '@mantine/core';
import { refusals } from '../../activity/access-events.js';
import { activityCopy, userPageCopy } from '../../copy/copy.js';
import { formatDateTime, formatTime } from '../../copy/format.js';
import { AccessBody } from './access-body.js';
import { ChangeBody } from './change-body.js';
import { MessageBody } from './message-body.js';
import css from './timeline.module.css';
import { type TimelineEntry, titleOfChange } from './timeline-entry.js';

export function TimelineItem({ entry }: { entry: TimelineEntry }) {
  const isRefused = entry.kind === 'access' && refusals.has(entry.event.kind);
  return (
    <li className={css.entry} data-kind={entry.kind} data-refused={isRefused || undefined}>
      <time className={css.time} dateTime={entry.at} title={formatDateTime(entry.at)}>
        {formatTime(entry.at)}
      </time>
      <div className={css.content}>
        <Text size="sm" fw={600}>
          {titleOf(entry)}
        </Text>
        <Body entry={entry} />
      </div>
    </li>
  );
}

function titleOf(entry: TimelineEntry): string {
  if (entry.kind === 'change') return userPageCopy.timeline.titles[titleOfChange(entry.change)];
  if (entry.kind === 'access') return activityCopy.signIns.kind[entry.event.kind];
  return activityCopy.deliveries.kind[entry.message.kind];
}

function Body({ entry }: { entry: TimelineEntry }) {
  if (entry.kind === 'change') return <ChangeBody change={entry.change} />;
  if (entry.kind === 'access') return <AccessBody event={entry.event} />;
  return <MessageBody message={entry.message} />;
}
