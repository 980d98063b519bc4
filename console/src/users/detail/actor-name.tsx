import { Anchor } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { texts } from '../../copy/index.js';
import { rollcall } from '../../session/api.js';
import { useMay, useMe } from '../../session/session.js';
import { personQuery } from '../data/user-queries.js';

type Actor = Schemas['Change']['actor'];

/** Who made a change, by the name that people know them by where it can be found out. */
export function ActorName({ actor }: { actor: Actor }) {
  const me = useMe();
  if (actor === null) return texts.person.actors.service;
  if (actor.kind === 'person')
    return actor.id === me.serial ? texts.person.actors.you : <PersonName serial={actor.id} />;
  if (actor.kind === 'client') return <ClientName id={actor.id} />;
  return texts.person.actors.outside(actor.id);
}

function PersonName({ serial }: { serial: string }) {
  const person = useQuery({ ...personQuery(serial), staleTime: Number.POSITIVE_INFINITY });
  return (
    <Anchor component={Link} href={`/people/${serial}`} inherit underline="always">
      {person.data?.user.name ?? texts.person.actors.person(serial)}
    </Anchor>
  );
}

function ClientName({ id }: { id: string }) {
  const mayAsk = useMay('access:admin');
  const client = useQuery({
    queryKey: ['client', id],
    queryFn: async ({ signal }) => (await rollcall.call('getClient', { path: { id }, signal })).body.data,
    enabled: mayAsk,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return texts.person.actors.client(client.data?.name ?? id);
}
