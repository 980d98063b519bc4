import { Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { EmptyState } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { PageTitle } from '../components/page-title.js';
import { Problem } from '../components/problem.js';
import { isAtLimit } from '../components/provisioning.js';
import { settingsCopy } from '../copy/copy.js';
import { clientsCopy, provisioningCopy as copy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { type Provider, providerKeys, scimBaseUrl } from './provider.js';
import { type ProviderAction, ProviderDialog } from './provider-dialog.js';
import { ProviderFacts } from './provider-facts.js';
import { ProviderRequests } from './provider-requests.js';
import { ProviderTokens } from './provider-tokens.js';
import { ProviderBadge } from './provisioning-page.js';
import { settingsPath } from './tabs.js';

/** Requests arrive by themselves. */
const refetchMs = 15_000;

export function ProviderPage({ clientId }: { clientId: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: providerKeys.one(clientId),
    queryFn: async ({ signal }) =>
      (await rollcall.call('getScimProvider', { path: { id: clientId }, signal })).body.data,
    refetchInterval: refetchMs,
  });
  return (
    <>
      <PageTitle
        title={data?.name ?? settingsCopy.tabs.provisioning}
        section={settingsCopy.tabs.provisioning}
      >
        {data && <ProviderBadge provider={data} />}
      </PageTitle>
      <Anchor component={Link} href={settingsPath('provisioning')} size="sm">
        {copy.back}
      </Anchor>
      {data && <ProviderDetails provider={data} />}
      {!data && error !== null && <NotShown error={error} onRetry={() => void refetch()} />}
    </>
  );
}

function NotShown({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return isRollcallError(error, 'ACCESS_CLIENT_NOT_FOUND') ? (
    <EmptyState title={copy.notFound} />
  ) : (
    <Problem title={copy.cannotLoad} error={error} onRetry={onRetry} />
  );
}

function ProviderDetails({ provider }: { provider: Provider }) {
  const [action, setAction] = useState<ProviderAction>();
  const { clientId } = provider;
  const allow = () => setAction({ kind: 'allow', provider });
  return (
    <Stack mt="md">
      {isAtLimit(provider) && (
        <Notice color="red" role="status" title={copy.deactivations.reachedTitle}>
          <Text size="sm" mb="xs">
            {copy.deactivations.reached}
          </Text>
          <Button size="xs" variant="default" onClick={allow}>
            {copy.deactivations.allow}
          </Button>
        </Notice>
      )}
      <Facts>
        <ProviderFacts provider={provider} />
        <Fact name={copy.baseUrl}>{scimBaseUrl()}</Fact>
        <Fact name={clientsCopy.id}>{clientId}</Fact>
      </Facts>
      <Section
        title={copy.settings.title}
        actions={
          <>
            <Button size="xs" variant="default" onClick={() => setAction({ kind: 'edit', provider })}>
              {copy.settings.edit}
            </Button>
            {!isAtLimit(provider) && provider.deactivations.limit !== null && (
              <Button size="xs" variant="default" onClick={allow}>
                {copy.deactivations.allow}
              </Button>
            )}
          </>
        }
      >
        <SettingFacts {...provider.settings} />
      </Section>
      <Section
        title={copy.tokens.title}
        actions={
          <Button size="xs" variant="default" onClick={() => setAction({ kind: 'token', provider })}>
            {copy.tokens.create}
          </Button>
        }
      >
        <ProviderTokens
          clientId={clientId}
          onRevoke={(token) => setAction({ kind: 'revoke', provider, token })}
        />
      </Section>
      <Section title={copy.requests.title}>
        <ProviderRequests clientId={clientId} />
      </Section>
      {action && <ProviderDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />}
    </Stack>
  );
}

function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4">
          {title}
        </Title>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Paper>
  );
}

function SettingFacts(settings: Provider['settings']) {
  const texts = copy.settings;
  return (
    <Facts>
      <Fact name={texts.onDelete}>{texts.onDeleteChoices[settings.onDelete]}</Fact>
      <Fact name={texts.employeeId}>{texts.employeeIdChoices[settings.employeeId]}</Fact>
      <Fact name={texts.visibleUsers}>{texts.visibleUsersChoices[settings.visibleUsers]}</Fact>
      <Fact name={texts.unknownAttributes}>{texts.unknownAttributesChoices[settings.unknownAttributes]}</Fact>
      <Fact name={texts.percent}>{texts.percentOf(settings.deactivationPercent)}</Fact>
    </Facts>
  );
}
