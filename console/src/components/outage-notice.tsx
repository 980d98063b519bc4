import { Loader, Paper, Text } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { outageCopy } from '../copy/copy.js';
import css from './outage-notice.module.css';

/** Says that the page waits for the service. Nothing else changes, so that the user can read on. */
export function OutageNotice() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div className={css.place} role="status">
      {!isOnline && (
        <Paper className={css.notice} withBorder shadow="md" radius="xl">
          <Loader size={14} color="gray" aria-hidden />
          <Text size="sm">{outageCopy.waiting}</Text>
        </Paper>
      )}
    </div>
  );
}
