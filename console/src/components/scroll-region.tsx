import { Box } from '@mantine/core';
import type { ReactNode } from 'react';

interface ScrollRegionProps {
  readonly label: string;
  readonly maxHeight?: number;
  readonly children: ReactNode;
}

/** Scrolls its content, by keyboard too, instead of the page. */
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
