import { Anchor, Skeleton, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { useCurrentUser, usePermission } from '../session/session.js';

const copy = activityCopy.actors;
/** Names rarely change, and lists repeat them. */
const namesStaleMs = 5 * 60_000;

/** Null if the user has been removed. */
export function useUserName(serial: string) {
  return useQuery({
    queryKey: ['activity', 'name', serial],
    queryFn: async ({ signal }) => {
      const reply = await rollcall.call('getUser', { path: { serial }, signal }).catch((error) => {
        if (isRollcallError(error, 'USER_NOT_FOUND')) return undefined;
        throw error;
      });
      return reply?.body.data.name ?? null;
    },
    staleTime: namesStaleMs,
  });
}

export function UserLink({ serial, isInline = false }: { serial: string; isInline?: boolean }) {
  const { data: name, isPending } = useUserName(serial);
  if (isPending) return isInline ? '…' : <Skeleton height={12} width={110} my={5} />;
  return (
    <>
      <Anchor component={Link} href={`/users/${serial}`} inherit underline={isInline ? 'always' : 'hover'}>
        {name ?? (name === null ? copy.removed : copy.unknown)}
      </Anchor>
      {!name && !isInline && (
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
    queryFn: async ({ signal }) =>
      (await rollcall.call('getClient', { path: { id }, signal })).body.data.name,
    enabled: maySee,
    staleTime: namesStaleMs,
  });
  // IDs start with the word already.
  return name === undefined ? id : copy.client(name);
}

interface ActorProps {
  readonly actor: { readonly kind: string; readonly id: string } | null;
  /** Shown if there is no actor. */
  readonly fallback?: string;
  /** As part of a sentence. */
  readonly isInline?: boolean;
}

/** Who did something: a user, a client, or someone whom an external identity provider vouches for. */
export function Actor({ actor, fallback = commonCopy.none, isInline = false }: ActorProps) {
  const { serial } = useCurrentUser();
  if (actor === null) return fallback;
  if (actor.kind === 'person')
    return actor.id === serial ? copy.you : <UserLink serial={actor.id} isInline={isInline} />;
  if (actor.kind === 'client') return <ClientName id={actor.id} />;
  return <span style={{ overflowWrap: 'anywhere' }}>{actor.id}</span>;
}
