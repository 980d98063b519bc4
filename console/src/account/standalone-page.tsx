import { Center, Paper } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** A page without navigation. */
export function StandalonePage({ title, children }: { title: string; children: ReactNode }) {
  useDocumentTitle(`${title} · Rollcall`);
  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder p="xl" w="100%" maw={420}>
        {children}
      </Paper>
    </Center>
  );
}
