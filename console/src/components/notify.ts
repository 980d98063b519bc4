import { notifications } from '@mantine/notifications';
import type { ReactNode } from 'react';

const readingMs = 6_000;

/** Shows a success message in the corner. */
export function notify(message: ReactNode): void {
  notifications.show({ message, color: 'green', autoClose: readingMs });
}
