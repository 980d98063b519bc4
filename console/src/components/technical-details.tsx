import type { ReactNode } from 'react';
import { commonCopy } from '../copy/copy.js';

/** What only support and developers ask for. */
export function TechnicalDetails({ children }: { children: ReactNode }) {
  return (
    <details style={{ marginTop: 'var(--mantine-spacing-xs)', fontSize: 'var(--mantine-font-size-sm)' }}>
      <summary style={{ cursor: 'pointer' }}>{commonCopy.technicalDetails}</summary>
      <div style={{ marginTop: 'var(--mantine-spacing-xs)' }}>{children}</div>
    </details>
  );
}
