import { notifications } from '@mantine/notifications';
import { texts } from '../../texts/index.js';

/** That something worked. */
export function tell(message: string): void {
  notifications.show({ message, color: 'green', closeButtonProps: { 'aria-label': texts.common.close } });
}
