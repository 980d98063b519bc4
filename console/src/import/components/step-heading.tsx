import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { Step } from '../state/state.js';

let isFirst = true;

/** Takes the focus, so that keyboards and screen readers start at the top of a new step. */
export function StepHeading({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (!isFirst) {
      heading.current?.focus({ preventScroll: true });
      window.scrollTo({ top: 0 }); // the step before may have been scrolled to its buttons
    }
    isFirst = false;
  }, []);
  return (
    <Title order={2} size="h4" mb="xs" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
      {children}
    </Title>
  );
}

export interface StepProps {
  readonly goTo: (step: Step) => void;
}
