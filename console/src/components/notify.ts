import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

const readingMs = 6_000;

/** Says that something worked, in a corner, for as long as it takes to read it. */
export function notify(message: ReactNode): void {
  notifications.show({ message, color: 'green', autoClose: readingMs });
}
