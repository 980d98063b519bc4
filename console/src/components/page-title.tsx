import { Group, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';

interface PageTitleProps {
  readonly title: string;
  /** Which part of the page is shown, for the title of the browser tab. */
  readonly part?: string | undefined;
  /** What the page belongs to, for the same. */
  readonly section?: string;
  readonly children?: ReactNode;
}

/** The only h1 of a page, and the title of the browser tab. */
export function PageTitle({ title, part, section, children }: PageTitleProps) {
  useTabTitle(part, title, section);
  const heading = useHeadingFocus();
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} size="h2" miw={0} ref={heading} tabIndex={-1} style={{ overflowWrap: 'anywhere', outline: 'none' }}>
        {title}
      </Title>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}

/** Where the focus goes if what had it is gone with the page before. */
export function useHeadingFocus(): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (navigator.userActivation?.hasBeenActive && document.activeElement === document.body)
      heading.current?.focus();
  }, []);
  return heading;
}

/** From the particular to the general, so that the tabs of a browser can be told apart. */
export function useTabTitle(...parts: readonly (string | undefined)[]): void {
  useDocumentTitle([...parts, 'Rollcall'].filter((part) => part !== undefined).join(' · '));
}
