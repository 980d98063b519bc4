/** Whether the browser can show notifications, and whether the user was asked. Browsers have them on secure origins only. */
export function notificationState(): NotificationPermission | 'unsupported' {
  return typeof Notification === 'undefined' ? 'unsupported' : Notification.permission;
}

/** Must follow from a click: browsers ask the user then. */
export async function allowNotifications(): Promise<NotificationPermission> {
  return Notification.requestPermission();
}

/** Shows a notification, if the user has allowed it and can't see the page. */
export function announce(text: string): void {
  if (notificationState() !== 'granted' || document.visibilityState === 'visible') return;
  const notification = new Notification(text, { tag: 'rollcall.import' });
  notification.onclick = () => {
    window.focus();
    notification.close();
  };
}
