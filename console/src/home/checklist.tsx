import { Anchor, Button, Group, Paper, Text, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { focusPage } from '../components/focus-page.js';
import { settingsQuery } from '../components/service-settings.js';
import { unsentMessages } from '../components/unsent-messages.js';
import { useStored } from '../components/use-stored.js';
import { homeCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { statusQuery } from './attention.js';
import styles from './home.module.css';

const copy = homeCopy.checklist;

type Step = keyof typeof copy.steps;

const places: Readonly<Record<Step, string>> = {
  import: '/import',
  email: '/system/limits',
  colleague: '/users',
  backup: '/system/status',
};

/** What an administrator does first. It goes once all is done, or when it is told to, in this browser. */
export function Checklist({ hasUsers }: { hasUsers: boolean }) {
  const isAdministrator = usePermission('access:admin');
  const [hidden, hide] = useStored('checklist');
  const isWanted = isAdministrator && hidden === null;
  const done = useDone(hasUsers, isWanted);
  if (!isWanted || !done) return null;
  const steps = (Object.keys(copy.steps) as Step[]).filter(
    (step) => done[step] !== undefined && (hasUsers || step !== 'import'),
  );
  const open = steps.filter((step) => !done[step]);
  if (open.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={copy.title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {copy.title}
        </Title>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            hide('hidden');
            focusPage();
          }}
        >
          {copy.hide}
        </Button>
      </Group>
      <Text size="sm" c="dimmed" mb="xs">
        {copy.progress(steps.length - open.length, steps.length)}
      </Text>
      <ul className={styles.steps}>
        {open.map((step) => (
          <li key={step} className={styles.step}>
            <Anchor component={Link} href={places[step]} size="sm" fw={600}>
              {copy.steps[step].title}
            </Anchor>
            <Text size="sm" c="dimmed">
              {copy.steps[step].text}
            </Text>
          </li>
        ))}
      </ul>
    </Paper>
  );
}

type Done = Readonly<Record<Step, boolean | undefined>>;

/** Undefined until it is known. */
function useDone(hasUsers: boolean, isWanted: boolean): Done | undefined {
  const settings = useQuery({ ...settingsQuery, enabled: isWanted });
  const status = useQuery({ ...statusQuery, enabled: isWanted });
  const colleagues = useQuery({
    queryKey: ['users', 'with-a-role'],
    queryFn: async ({ signal }) => {
      const query = { role: ['viewer', 'operator', 'administrator'] as const, limit: 2 };
      return (await rollcall.call('listUsers', { query: { ...query, role: [...query.role] }, signal })).body
        .data.items.length;
    },
    enabled: isWanted,
  });
  if (!settings.data || !status.data || colleagues.data === undefined) return undefined;
  const unsent = unsentMessages(settings.data);
  return {
    import: hasUsers,
    email: unsent !== 'all' && unsent !== 'email',
    colleague: colleagues.data > 1,
    backup: hasBackup(status.data),
  };
}

/** Undefined on PostgreSQL, which usually has backups that Rollcall doesn't know of. */
function hasBackup({ lastBackup, database }: Schemas['ServiceStatus']): boolean | undefined {
  return lastBackup !== null || (database.engine === 'postgres' ? undefined : false);
}
