import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScrollRegionProps {
  readonly label: string;
  readonly maxHeight?: number;
  readonly children: ReactNode;
}

/** What is larger than its place scrolls in here, also by the keyboard, and the page stays as it is. */
export function ScrollRegion({ label, maxHeight, children }: ScrollRegionProps) {
  return (
    <Box
      component="section"
      aria-label={label}
      tabIndex={0}
      mah={maxHeight}
      style={{ overflow: 'auto', position: 'relative' }}
    >
      {children}
    </Box>
  );
}
