import { Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { Actor } from '../components/actor.js';
import { CallResult, CallStateBadge } from '../components/call-state.js';
import { callTitle, plannedTitle } from '../components/calls.js';
import { homeCopy } from '../copy/copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import styles from './home.module.css';

const copy = homeCopy.recent;
const shownMax = 6;

/** The last bulk calls and how they went. */
export function RecentCalls() {
  const { data: calls, isPending } = useQuery({
    queryKey: ['activity', 'calls', 'recent'],
    queryFn: async ({ signal }) =>
      (await rollcall.call('listCalls', { query: { limit: shownMax }, signal })).body.data.items,
  });
  return (
    <Paper withBorder p="md" component="section" aria-label={copy.title}>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h4">
          {copy.title}
        </Title>
        <Anchor component={Link} href="/activity/calls" size="sm">
          {copy.all}
        </Anchor>
      </Group>
      {isPending && <Skeleton height={120} />}
      {calls?.length === 0 && (
        <Text size="sm" c="dimmed">
          {copy.empty}
        </Text>
      )}
      {calls?.map((call) => (
        <RecentCall key={call.id} call={call} />
      ))}
    </Paper>
  );
}

function RecentCall({ call }: { call: Schemas['Call'] }) {
  const { id, state, startedAt, actor, plan, source, note } = call;
  return (
    <div className={styles.call}>
      <div className={styles.callMain}>
        <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" fw={600}>
          {plannedTitle(call) ?? callTitle(call)}
        </Anchor>
        {source !== null && note !== null && (
          <Text size="sm" truncate title={note}>
            {note}
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {formatDateTime(startedAt)} · <Actor actor={plan?.author ?? actor} isInline />
        </Text>
      </div>
      <Text size="sm" className={styles.callResult}>
        <CallResult call={call} />
      </Text>
      <CallStateBadge state={state} isRejected={plan?.isRejected} />
    </div>
  );
}
