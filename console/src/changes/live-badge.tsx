import { Tooltip } from '@mantine/core';
import { StateBadge } from '../components/state-badge.js';
import { changesCopy as copy } from '../copy/copy.js';
import { useLive } from '../live/live-store.js';

/** Whether changes are shown as they happen. */
export function LiveBadge() {
  const connection = useLive((state) => state.connection);
  if (connection === 'off') return null;
  const isLost = connection === 'lost';
  return (
    <Tooltip label={isLost ? copy.reconnectingHint : copy.liveHint}>
      <div role="status">
        <StateBadge color={isLost ? 'yellow' : 'green'}>{isLost ? copy.reconnecting : copy.live}</StateBadge>
      </div>
    </Tooltip>
  );
}
