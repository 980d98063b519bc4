import { Button, Group, Paper, SimpleGrid, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { homeCopy } from '../copy/copy.js';
import { usePermission } from '../session/session.js';

const copy = homeCopy.start;

/** For a service without users. */
export function FirstSteps() {
  const mayWrite = usePermission('users:write');
  return (
    <Paper withBorder p="xl" component="section" aria-label={copy.title}>
      <Title order={2} size="h3">
        {copy.title}
      </Title>
      <Text c="dimmed" mb="lg">
        {copy.lead}
      </Text>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="lg">
        {Object.values(copy.steps).map(({ title, text }) => (
          <div key={title}>
            <Title order={3} size="h5" mb={4}>
              {title}
            </Title>
            <Text size="sm">{text}</Text>
          </div>
        ))}
      </SimpleGrid>
      {mayWrite ? (
        <Group mt="xl">
          <Button component={Link} href="/import">
            {copy.import}
          </Button>
          <Button component={Link} href="/users/new" variant="default">
            {copy.create}
          </Button>
        </Group>
      ) : (
        <Text mt="lg">{copy.ask}</Text>
      )}
    </Paper>
  );
}
