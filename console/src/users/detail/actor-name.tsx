import { Anchor } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { userCopy } from '../../copy/user.js';
import { rollcall } from '../../session/api.js';
import { useCurrentUser, usePermission } from '../../session/session.js';
import { userQuery } from '../data/user-queries.js';

type Actor = Schemas['Change']['actor'];

/** Who made a change, by the name that people know them by where it can be found out. */
export function ActorName({ actor }: { actor: Actor }) {
  const me = useCurrentUser();
  if (actor === null) return userCopy.actors.service;
  if (actor.kind === 'person')
    return actor.id === me.serial ? userCopy.actors.you : <PersonName serial={actor.id} />;
  if (actor.kind === 'client') return <ClientName id={actor.id} />;
  return userCopy.actors.outside(actor.id);
}

function PersonName({ serial }: { serial: string }) {
  const person = useQuery({ ...userQuery(serial), staleTime: Number.POSITIVE_INFINITY });
  return (
    <Anchor component={Link} href={`/people/${serial}`} inherit underline="always">
      {person.data?.user.name ?? userCopy.actors.person(serial)}
    </Anchor>
  );
}

function ClientName({ id }: { id: string }) {
  const mayAsk = usePermission('access:admin');
  const client = useQuery({
    queryKey: ['client', id],
    queryFn: async ({ signal }) => (await rollcall.call('getClient', { path: { id }, signal })).body.data,
    enabled: mayAsk,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return userCopy.actors.client(client.data?.name ?? id);
}
