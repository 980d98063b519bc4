import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { importCopy } from '../../copy/copy.js';
import { allowNotifications, notificationState } from '../state/announce.js';

const copy = importCopy.run;

/** Asks the browser for permission only when clicked. */
export function NotifyMe() {
  const [state, setState] = useState(notificationState);
  if (state === 'unsupported') return null;
  if (state !== 'default') {
    return (
      <Text size="sm" c="dimmed" role="status">
        {state === 'granted' ? copy.notifyOn : copy.notifyOff}
      </Text>
    );
  }
  return (
    <div>
      <Button variant="default" size="xs" onClick={() => void allowNotifications().then(setState)}>
        {copy.notify}
      </Button>
    </div>
  );
}
