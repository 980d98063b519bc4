import { Anchor, Skeleton, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { texts } from '../copy/index.js';
import { rollcall } from '../session/api.js';
import { useMay } from '../session/session.js';

const words = texts.activity.who;
/** Names change seldom, and a list shows the same ones over and over. */
const namesStaleMs = 5 * 60_000;

/** The API names people by serial alone. */
export function usePersonName(serial: string | null) {
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

export function Person({ serial }: { serial: string }) {
  const { data: name, isPending } = usePersonName(serial);
  if (isPending) return <Skeleton height={12} width={110} my={5} />;
  const isRemoved = name === null;
  return (
    <>
      <Anchor component={Link} href={`/people/${serial}`} size="sm">
        {name ?? (isRemoved ? words.removed : words.unknown)}
      </Anchor>
      {!name && (
        <Text size="xs" c="dimmed">
          {serial}
        </Text>
      )}
    </>
  );
}

export function Client({ id }: { id: string }) {
  const maySee = useMay('access:admin');
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
      {name ?? words.client(id)}
    </Text>
  );
}

export interface ActorShown {
  readonly kind: string;
  readonly id: string;
}

/** Whoever did it: a person, a program, or somebody whom an outside issuer vouches for. */
export function Who({ actor }: { actor: ActorShown | null }) {
  if (actor === null) return texts.common.none;
  if (actor.kind === 'person') return <Person serial={actor.id} />;
  if (actor.kind === 'client') return <Client id={actor.id} />;
  return (
    <Text size="sm" span style={{ overflowWrap: 'anywhere' }}>
      {actor.id}
    </Text>
  );
}
