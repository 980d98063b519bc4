import { Button, Text } from '@mantine/core';
import { Link } from 'wouter';
import { EmptyState } from '../components/empty-state.js';
import { Facts } from '../components/facts.js';
import { PageTitle } from '../components/page-title.js';
import { usePagedList } from '../components/paged-list.js';
import { isAtLimit } from '../components/provisioning.js';
import { StateBadge } from '../components/state-badge.js';
import { settingsCopy } from '../copy/copy.js';
import { clientsCopy, provisioningCopy as copy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { Card, CardList } from './cards.js';
import { connectPath, type Provider, providerKeys, providerPath } from './provider.js';
import { ProviderFacts } from './provider-facts.js';

/** The identity providers that manage users by themselves. */
export function ProvisioningPage() {
  const list = usePagedList<Provider>({
    key: providerKeys.all,
    load: async (page, signal) =>
      (await rollcall.call('listScimProviders', { query: page, signal })).body.data,
  });
  const connect = (
    <Button component={Link} href={connectPath}>
      {copy.connectAction}
    </Button>
  );
  const isEmpty = list.items.length === 0 && !list.isLoading && list.error === undefined;
  return (
    <>
      <PageTitle title={settingsCopy.tabs.provisioning} section={settingsCopy.title}>
        {!isEmpty && connect}
      </PageTitle>
      {!isEmpty && (
        <Text c="dimmed" mb="md">
          {copy.lead}
        </Text>
      )}
      <CardList
        list={list}
        empty={
          <EmptyState title={copy.empty} hint={copy.emptyHint}>
            {connect}
          </EmptyState>
        }
        card={(provider) => <ProviderCard key={provider.clientId} provider={provider} />}
      />
    </>
  );
}

function ProviderCard({ provider }: { provider: Provider }) {
  const { clientId, name } = provider;
  return (
    <Card name={name} href={providerPath(clientId)} badge={<ProviderBadge provider={provider} />}>
      <Facts>
        <ProviderFacts provider={provider} />
      </Facts>
    </Card>
  );
}

export function ProviderBadge({ provider }: { provider: Provider }) {
  if (!provider.isActive) return <StateBadge color="gray">{clientsCopy.isDisabled}</StateBadge>;
  if (isAtLimit(provider)) return <StateBadge color="red">{copy.deactivations.reachedTitle}</StateBadge>;
  return <StateBadge color="green">{clientsCopy.isActive}</StateBadge>;
}
