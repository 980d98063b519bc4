import type { ReactNode } from 'react';
import { commonCopy } from '../copy/copy.js';

/** What only support and developers ask for. */
export function TechnicalDetails({ children }: { children: ReactNode }) {
  return <Disclosure title={commonCopy.technicalDetails}>{children}</Disclosure>;
}

/** What few need, and only with an explanation. */
export function Advanced({ children }: { children: ReactNode }) {
  return <Disclosure title={commonCopy.advanced}>{children}</Disclosure>;
}

function Disclosure({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details style={{ marginTop: 'var(--mantine-spacing-xs)', fontSize: 'var(--mantine-font-size-sm)' }}>
      <summary style={{ cursor: 'pointer' }}>{title}</summary>
      <div style={{ marginTop: 'var(--mantine-spacing-xs)' }}>{children}</div>
    </details>
  );
}
