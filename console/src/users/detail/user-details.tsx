import { Anchor, Badge, Grid, Group, Paper, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { when } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import { useMay } from '../../session/session.js';
import type { Versioned } from '../data/user-queries.js';
import { wayBack } from '../list/scroll-memory.js';
import { ResetPassword } from './reset-password.js';
import { PersonFacts } from './user-facts.js';
import { PersonForm } from './user-form.js';
import { PersonHistory } from './user-history.js';
import { PersonRole } from './user-role.js';
import { PersonStatus } from './user-status.js';

interface PersonProps {
  readonly fresh: Versioned;
  readonly error: unknown;
  readonly onRetry: () => void;
}

export function Person({ fresh, error, onRetry }: PersonProps) {
  const { user } = fresh;
  const mayWrite = useMay('users:write');
  const mayAdminister = useMay('access:admin');
  const maySeeHistory = useMay('audit:read');
  return (
    <>
      <Anchor component={Link} href={wayBack()} size="sm" display="inline-block" mb={4}>
        ← {texts.person.back}
      </Anchor>
      <PageTitle title={user.name}>
        <Badge color={user.isActive ? 'green' : 'gray'} variant="dot" size="lg">
          {user.isActive ? texts.common.active : texts.common.inactive}
        </Badge>
      </PageTitle>
      {error !== null && <Problem title={texts.person.notRefreshed} error={error} onRetry={onRetry} />}
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section title={texts.person.details}>
            {mayWrite ? <PersonForm fresh={fresh} /> : <PersonFacts user={user} />}
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap="lg">
            <Section title={texts.person.status}>
              <PersonStatus fresh={fresh} mayChange={mayWrite} />
            </Section>
            <Section title={texts.person.access}>
              <PersonRole user={user} mayChange={mayAdminister} />
              {mayAdminister && <ResetPassword user={user} />}
            </Section>
            <Section title={texts.person.record}>
              <Fact name={texts.people.createdAt}>{when(user.createdAt)}</Fact>
              <Fact name={texts.people.updatedAt}>{when(user.updatedAt)}</Fact>
              <Fact name={texts.person.serial}>
                <span style={{ overflowWrap: 'anywhere' }}>{user.serial}</span>
              </Fact>
            </Section>
          </Stack>
        </Grid.Col>
        {maySeeHistory && (
          <Grid.Col span={12}>
            <PersonHistory serial={user.serial} />
          </Grid.Col>
        )}
      </Grid>
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Group gap="xs" wrap="nowrap" align="baseline" mb={4}>
      <Text size="sm" c="dimmed" w={80} flex="none">
        {name}
      </Text>
      <Text size="sm">{children}</Text>
    </Group>
  );
}
