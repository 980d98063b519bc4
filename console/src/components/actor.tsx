import { Anchor, Skeleton } from '@mantine/core';
import { isRollcallError, type Schemas } from '@rollcall/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { activityCopy, changesCopy, commonCopy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';
import { useCurrentUser, usePermission, useSeesHistory } from '../session/session.js';
import { feedsQuery } from './feeds-query.js';

const copy = activityCopy.actors;
/** Names rarely change, and lists repeat them. */
const namesStaleMs = 5 * 60_000;

interface NamedUser {
  readonly name: string | null;
  /** Removed or erased. */
  readonly isGone: boolean;
  /** Where messages go; null if there is no address. */
  readonly address: string | null;
}

/** The last known name of a removed user, or null if there is none. */
export function useUserName(serial: string, isWanted = true) {
  const query = useNameQuery(serial);
  return useQuery({ ...query, enabled: isWanted, select: ({ name }) => name });
}

/** Where messages to a user go; null if nowhere, and undefined until it is known. */
export function useAddress(serial: string): string | null | undefined {
  return useQuery(useNameQuery(serial)).data?.address;
}

/** Whether a user was removed or erased. False until it is known. */
export function useIsGone(serial: string): boolean {
  return useQuery(useNameQuery(serial)).data?.isGone ?? false;
}

function useNameQuery(serial: string) {
  return nameQuery(serial, useSeesHistory());
}

export function nameQuery(serial: string, maySeeHistory: boolean) {
  return queryOptions({
    queryKey: ['activity', 'name', serial],
    queryFn: async ({ signal }): Promise<NamedUser> => {
      try {
        const { name, email, phone } = (await rollcall.call('getUser', { path: { serial }, signal })).body
          .data;
        return { name, isGone: false, address: email ?? phone };
      } catch (error) {
        if (isRollcallError(error, 'USER_ERASED'))
          return { name: changesCopy.erasedUser, isGone: true, address: null };
        if (!isRollcallError(error, 'USER_NOT_FOUND')) throw error;
        const name = maySeeHistory ? removedName(await lastChange(serial, signal)) : null;
        return { name, isGone: true, address: null };
      }
    },
    staleTime: namesStaleMs,
  });
}

async function lastChange(serial: string, signal: AbortSignal): Promise<Schemas['Change'] | undefined> {
  const request = { path: { serial }, query: { limit: 1 }, signal };
  return (await rollcall.call('userHistory', request)).body.data.items[0];
}

function removedName(change: Schemas['Change'] | undefined): string | null {
  const name = change?.fields.name?.before;
  return typeof name === 'string' ? copy.removedUser(name) : null;
}

/** In a sentence, those who are gone are only named. */
export function UserLink({ serial, isInline = false }: { serial: string; isInline?: boolean }) {
  const { data: user, isPending } = useQuery(useNameQuery(serial));
  if (isPending) return isInline ? '…' : <Skeleton height={12} width={110} my={5} />;
  const name = user ? (user.name ?? copy.removed) : copy.unknown;
  if (isInline && user?.isGone) return name;
  return (
    <Anchor component={Link} href={`/users/${serial}`} inherit underline={isInline ? 'always' : 'hover'}>
      {name}
    </Anchor>
  );
}

export function ClientName({ id }: { id: string }) {
  const maySee = usePermission('access:admin');
  const { data: name, isError } = useQuery({
    queryKey: ['activity', 'client-name', id],
    queryFn: async ({ signal }) =>
      (await rollcall.call('getClient', { path: { id }, signal })).body.data.name,
    enabled: maySee,
    staleTime: namesStaleMs,
  });
  if (name !== undefined) return copy.client(name);
  return isError ? id : copy.someClient;
}

/** A feed that was deleted is only named. */
export function FeedLink({ feed, isInline = false }: { feed: string; isInline?: boolean }) {
  const { data: feeds } = useQuery({ ...feedsQuery, staleTime: namesStaleMs });
  const found = feeds?.find(({ key }) => key === feed);
  const name = commonCopy.feedActor(found?.name ?? feed);
  if (!found) return name;
  return (
    <Anchor component={Link} href={`/feeds/${feed}`} inherit underline={isInline ? 'always' : 'hover'}>
      {name}
    </Anchor>
  );
}

interface ActorProps {
  readonly actor: { readonly kind: string; readonly id: string } | null;
  /** Shown if there is no actor. */
  readonly fallback?: string;
  /** As part of a sentence. */
  readonly isInline?: boolean;
}

/** Who did something: a user, a client, a feed, or someone whom an external identity provider vouches for. */
export function Actor({ actor, fallback = commonCopy.none, isInline = false }: ActorProps) {
  const { serial } = useCurrentUser();
  if (actor === null) return fallback;
  if (actor.kind === 'person')
    return actor.id === serial ? copy.you : <UserLink serial={actor.id} isInline={isInline} />;
  if (actor.kind === 'client') return <ClientName id={actor.id} />;
  if (actor.kind === 'feed') return <FeedLink feed={actor.id} isInline={isInline} />;
  return <span style={{ overflowWrap: 'anywhere' }}>{actor.id}</span>;
}
