import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { rollcall } from '../../api.js';
import { EmptyState } from '../../parts/empty-state.js';
import { texts } from '../../texts/index.js';
import { CardList } from '../parts/card-list.js';
import { useEndless } from '../parts/endless.js';
import { type ClientAction, ClientCard } from './client-card.js';
import { ClientDialog } from './client-dialog.js';

const words = texts.activity.clients;

export function ClientsPage() {
  const [action, setAction] = useState<ClientAction>();
  const list = useEndless<Schemas['Client']>({
    key: ['activity', 'clients'],
    load: async (page, signal) => (await rollcall.call('listClients', { query: page, signal })).body.data,
  });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{words.lead}</Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{words.create}</Button>
      </Group>
      <CardList
        list={list}
        empty={<EmptyState title={words.empty} hint={words.emptyHint} />}
        card={(client) => <ClientCard key={client.id} client={client} act={setAction} />}
      />
      {action && <ClientDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />}
    </>
  );
}
