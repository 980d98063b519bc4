import { Text } from '@mantine/core';
import { eventDetail } from '../../activity/access-events.js';
import { Actor } from '../../components/actor.js';
import { userPageCopy } from '../../copy/copy.js';
import type { AccessEvent } from './timeline-entry.js';

const copy = userPageCopy.timeline;

export function AccessBody({ event }: { event: AccessEvent }) {
  const { actor, address, userSerial } = event;
  const isBySomeoneElse = actor !== null && actor.id !== userSerial;
  const parts = [eventDetail(event), address && copy.address(address)].filter(Boolean);
  return (
    <Text size="sm" c="dimmed">
      {isBySomeoneElse && (
        <>
          {copy.by} <Actor actor={actor} isInline />
          {parts.length > 0 && ' · '}
        </>
      )}
      {parts.join(' · ')}
    </Text>
  );
}
