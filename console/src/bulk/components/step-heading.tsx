import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

let isFirst = true;

/** The heading of a step. Whoever goes to another step is taken to its beginning. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <Title order={2} size="h4" mb="xs" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </Title>
  );
}
