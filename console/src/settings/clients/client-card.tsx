import { Group, Paper, Title } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { CardActions } from '../../components/card-actions.js';
import { Fact, Facts } from '../../components/facts.js';
import type { IssuedSecret } from '../../components/issued-secret.js';
import { SecretDates } from '../../components/secret-dates.js';
import { StateBadge } from '../../components/state-badge.js';
import { activityCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';

export type Client = Schemas['Client'];

export type ClientAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'disable' | 'enable'; readonly client: Client }
  | { readonly kind: 'secret'; readonly given: IssuedSecret };

const copy = activityCopy.clients;

export function ClientCard({ client, act }: { client: Client; act: (action: ClientAction) => void }) {
  const { id, name, scopes, isActive, createdAt, secrets } = client;
  const action = (kind: 'edit' | 'rotate' | 'disable' | 'enable') => ({
    id: kind === 'enable' || kind === 'disable' ? 'switch' : kind,
    label: copy[kind],
    onClick: () => act({ kind, client }),
  });
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Title>
        <StateBadge color={isActive ? 'green' : 'gray'}>
          {isActive ? copy.isActive : copy.isDisabled}
        </StateBadge>
      </Group>
      <Facts>
        <Fact name={copy.id}>{id}</Fact>
        <Fact name={copy.scopes}>
          {scopes.map((scope) => (
            <div key={scope}>{activityCopy.scopes[scope]}</div>
          ))}
        </Fact>
        <Fact name={copy.secrets}>
          <SecretDates secrets={secrets} />
        </Fact>
        <Fact name={copy.created}>{formatDateTime(createdAt)}</Fact>
      </Facts>
      <CardActions
        name={name}
        actions={[action('edit'), action('rotate'), isActive ? action('disable') : action('enable')]}
      />
    </Paper>
  );
}
