import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { settingsCopy } from '../copy/copy.js';
import { usePermission } from '../session/session.js';
import { Notice } from './notice.js';
import { settingsQuery } from './service-settings.js';
import { unsentMessages } from './unsent-messages.js';

const copy = settingsCopy.unsent;

/** Known to administrators only. */
export function useUnsentMessages(): ReturnType<typeof unsentMessages> {
  const { data } = useQuery({ ...settingsQuery, enabled: usePermission('access:admin') });
  return data && unsentMessages(data);
}

interface UnsentNoticeProps {
  /** Only if it concerns almost everyone: few people have no email address. */
  readonly isUrgent?: boolean;
}

/** Warns administrators of messages that are called sent, but reach nobody. */
export function UnsentNotice({ isUrgent = false }: UnsentNoticeProps) {
  const unsent = useUnsentMessages();
  if (!unsent || (isUrgent && unsent === 'sms')) return null;
  return (
    <div style={{ marginBottom: 'var(--mantine-spacing-md)' }}>
      <Notice color={unsent === 'sms' ? 'yellow' : 'red'} role="status" title={copy.title[unsent]}>
        <Text size="sm">{copy.text[unsent]}</Text>
      </Notice>
    </div>
  );
}
