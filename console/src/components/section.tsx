import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

interface SectionProps {
  readonly title: string;
  readonly hint?: string | undefined;
  /** Only screen readers are told the title. */
  readonly hidesTitle?: boolean;
  readonly maxWidth?: number;
  readonly children: ReactNode;
}

/** A part of a page, in a frame. */
export function Section({ title, hint, hidesTitle = false, maxWidth, children }: SectionProps) {
  return (
    <Paper withBorder p="md" maw={maxWidth} component="section" aria-label={title}>
      {!hidesTitle && (
        <Title order={2} size="h4" mb={hint ? 4 : 'sm'}>
          {title}
        </Title>
      )}
      {hint && (
        <Text size="sm" c="dimmed" mb="sm">
          {hint}
        </Text>
      )}
      {children}
    </Paper>
  );
}
