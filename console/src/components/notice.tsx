import { Alert } from '@mantine/core';
import type { ReactNode, Ref } from 'react';

interface NoticeProps {
  readonly color: 'red' | 'orange' | 'yellow' | 'green' | 'blue';
  readonly title?: string;
  /** `alert` interrupts screen readers; `status` does not. */
  readonly role?: 'alert' | 'status';
  readonly ref?: Ref<HTMLDivElement>;
  readonly children: ReactNode;
}

/** Uses the text color, because colored titles lack contrast. */
export function Notice({ color, title, role, ref, children }: NoticeProps) {
  return (
    <Alert
      color={color}
      {...(title === undefined ? {} : { title })}
      {...(role === undefined ? {} : { role })}
      {...(ref === undefined ? {} : { ref, tabIndex: -1 })}
      styles={{
        label: { color: 'var(--mantine-color-text)' },
        message: { color: 'var(--mantine-color-text)' },
      }}
    >
      {children}
    </Alert>
  );
}
