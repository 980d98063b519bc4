import { Anchor, Skeleton, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { activityCopy } from '../copy/activity.js';
import { commonCopy } from '../copy/common.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';

const copy = activityCopy.who;
/** Names change seldom, and a list shows the same ones over and over. */
const namesStaleMs = 5 * 60_000;

/** The API names people by serial alone. */
export function useUserName(serial: string | null) {
  return useQuery({
    queryKey: ['activity', 'name', serial],
    queryFn: async ({ signal }) => {
      const path = { serial: serial ?? '' };
      const reply = await rollcall.call('getUser', { path, signal }).catch((error) => {
        if (isRollcallError(error, 'USER_NOT_FOUND')) return undefined;
        throw error;
      });
      return reply?.body.data.name ?? null;
    },
    enabled: serial !== null,
    staleTime: namesStaleMs,
  });
}

export function UserLink({ serial }: { serial: string }) {
  const { data: name, isPending } = useUserName(serial);
  if (isPending) return <Skeleton height={12} width={110} my={5} />;
  const isRemoved = name === null;
  return (
    <>
      <Anchor component={Link} href={`/people/${serial}`} size="sm">
        {name ?? (isRemoved ? copy.removed : copy.unknown)}
      </Anchor>
      {!name && (
        <Text size="xs" c="dimmed">
          {serial}
        </Text>
      )}
    </>
  );
}

export function ClientName({ id }: { id: string }) {
  const maySee = usePermission('access:admin');
  const { data: name } = useQuery({
    queryKey: ['activity', 'client-name', id],
    queryFn: async ({ signal }) => {
      const { body } = await rollcall.call('getClient', { path: { id }, signal });
      return body.data.name;
    },
    enabled: maySee,
    staleTime: namesStaleMs,
  });
  return (
    <Text size="sm" span>
      {name ?? copy.client(id)}
    </Text>
  );
}

export interface ActorRef {
  readonly kind: string;
  readonly id: string;
}

/** Whoever did it: a person, a program, or somebody whom an outside issuer vouches for. */
export function Actor({ actor }: { actor: ActorRef | null }) {
  if (actor === null) return commonCopy.none;
  if (actor.kind === 'person') return <UserLink serial={actor.id} />;
  if (actor.kind === 'client') return <ClientName id={actor.id} />;
  return (
    <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
      {actor.id}
    </Text>
  );
}
