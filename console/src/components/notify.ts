import type { NotificationData } from '@mantine/notifications';
import type { ReactNode } from 'react';

const readingMs = 6_000;

/** Loaded on demand, to keep the first page small. */
export const loadNotifications = () => import('@mantine/notifications');

/** Shows a success message in the corner. */
export function notify(message: ReactNode): void {
  showNotification({ message, color: 'green', autoClose: readingMs });
}

export function showNotification(notification: NotificationData): void {
  void loadNotifications().then(({ notifications }) => notifications.show(notification));
}

export function hideNotification(id: string): void {
  void loadNotifications().then(({ notifications }) => notifications.hide(id));
}
