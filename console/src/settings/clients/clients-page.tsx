import { Button, Group, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { CardList } from '../../components/card-list.js';
import { EmptyState } from '../../components/empty-state.js';
import { usePagedList } from '../../components/paged-list.js';
import { activityCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import { type ClientAction, ClientCard } from './client-card.js';
import { ClientDialog } from './client-dialog.js';

const copy = activityCopy.clients;

export function ClientsPage() {
  const [action, setAction] = useState<ClientAction>();
  const list = usePagedList<Schemas['Client']>({
    key: ['activity', 'clients'],
    load: async (page, signal) => (await rollcall.call('listClients', { query: page, signal })).body.data,
  });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{copy.lead}</Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>
      </Group>
      <CardList
        list={list}
        empty={<EmptyState title={copy.empty} hint={copy.emptyHint} />}
        card={(client) => <ClientCard key={client.id} client={client} act={setAction} />}
      />
      {action && <ClientDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />}
    </>
  );
}
