import { Button, Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { activityCopy, commonCopy, outageCopy } from '../copy/copy.js';
import { PageTitle } from './page-title.js';

export function EmptyState({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <Center mih={200}>
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        {hint && (
          <Text c="dimmed" ta="center" size="sm">
            {hint}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}

interface NoMatchesProps {
  readonly clear?: string;
  readonly onClear: () => void;
}

export function NoMatches({ clear = commonCopy.clearFilters, onClear }: NoMatchesProps) {
  return (
    <EmptyState title={activityCopy.list.noMatches}>
      <Button variant="default" onClick={onClear}>
        {clear}
      </Button>
    </EmptyState>
  );
}

export function NotAllowed() {
  return <EmptyState title={commonCopy.notAllowed} />;
}

export function NotAllowedPage({ title }: { title: string }) {
  return (
    <>
      <PageTitle title={title} />
      <NotAllowed />
    </>
  );
}

export function PageNotFound() {
  return (
    <>
      <PageTitle title={commonCopy.pageNotFound} />
      <Text mb="md">{outageCopy.notFoundHint}</Text>
      <Button component={Link} href="/" variant="default">
        {outageCopy.toStart}
      </Button>
    </>
  );
}
