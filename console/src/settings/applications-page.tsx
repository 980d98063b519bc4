import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDisplayNames } from '../components/directory.js';
import { EmptyState } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import { Notice } from '../components/notice.js';
import { usePagedList } from '../components/paged-list.js';
import { settingsQuery } from '../components/service-settings.js';
import { StateBadge } from '../components/state-badge.js';
import { applicationsCopy as copy } from '../copy/account-copy.js';
import { formatDateTime } from '../copy/format.js';
import { rollcall } from '../session/api.js';
import type { Application, ApplicationAction, ApplicationVerb } from './application.js';
import { ApplicationDialog } from './application-dialog.js';
import { Card, CardActions, CardList } from './cards.js';
import { CopyableText, SecretDates } from './secrets.js';

/** Applications whose users sign in here. */
export function ApplicationsPage() {
  const [action, setAction] = useState<ApplicationAction>();
  const { data: settings } = useQuery(settingsQuery);
  const list = usePagedList<Application>({
    key: ['settings', 'applications'],
    load: async (page, signal) =>
      (await rollcall.call('listApplications', { query: page, signal })).body.data,
  });
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{copy.lead}</Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>
      </Group>
      {settings && !settings.openIdProvider && (
        <Box mb="md">
          <Notice color="yellow" title={copy.off}>
            {copy.offHint}
          </Notice>
        </Box>
      )}
      {settings?.openIdProvider && (
        <Paper withBorder p="md" mb="sm" maw={640}>
          <CopyableText label={copy.issuer} value={`${window.location.origin}/oidc`} />
        </Paper>
      )}
      <CardList
        list={list}
        empty={<EmptyState title={copy.empty} hint={copy.emptyHint} />}
        card={(application) => (
          <ApplicationCard key={application.id} application={application} act={setAction} />
        )}
      />
      {action && (
        <ApplicationDialog action={action} onAction={setAction} onClose={() => setAction(undefined)} />
      )}
    </>
  );
}

interface CardProps {
  readonly application: Application;
  readonly act: (action: ApplicationAction) => void;
}

function ApplicationCard({ application, act }: CardProps) {
  const { id, name, isPublic, isActive, redirectUris, scopes, users, createdAt, secrets } = application;
  const action = (kind: ApplicationVerb) => ({
    id: kind === 'enable' || kind === 'disable' ? 'switch' : kind,
    label: copy[kind],
    onClick: () => act({ kind, application }),
  });
  return (
    <Card
      name={name}
      badge={
        <StateBadge color={isActive ? 'green' : 'gray'}>
          {isActive ? copy.state.active : copy.state.disabled}
        </StateBadge>
      }
    >
      <Facts>
        <Fact name={copy.clientId}>{id}</Fact>
        <Fact name={copy.kind}>{isPublic ? copy.kinds.public : copy.kinds.confidential}</Fact>
        <Fact name={copy.redirectUris}>
          {redirectUris.map((uri) => (
            <div key={uri}>{uri}</div>
          ))}
        </Fact>
        <Fact name={copy.scopes}>{scopes.map((scope) => copy.scopeNames[scope]).join('; ')}</Fact>
        <Fact name={copy.access}>
          <Access application={application} />
        </Fact>
        <Fact name={copy.users}>{copy.countUsers(users)}</Fact>
        {!isPublic && (
          <Fact name={copy.secrets}>
            <SecretDates secrets={secrets} />
          </Fact>
        )}
        <Fact name={copy.created}>{formatDateTime(createdAt)}</Fact>
      </Facts>
      <CardActions
        name={name}
        actions={[
          action('edit'),
          ...(isPublic ? [] : [action('rotate')]),
          isActive ? action('disable') : action('enable'),
          action('remove'),
        ]}
      />
    </Card>
  );
}

function Access({ application: { organizationSerials, tagSerials } }: Pick<CardProps, 'application'>) {
  const organizations = useDisplayNames('organizations', organizationSerials);
  const tags = useDisplayNames('tags', tagSerials);
  const parts = [
    ...organizationSerials.map((serial) => organizations.get(serial) ?? serial),
    ...tagSerials.map((serial) => tags.get(serial) ?? serial),
  ];
  return parts.length === 0 ? copy.everyone : parts.join(', ');
}
