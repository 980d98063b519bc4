import { Button, Checkbox, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { selectOptions } from '../components/choices.js';
import { ConfirmDialog, FormDialog } from '../components/dialog.js';
import { EmptyState } from '../components/empty-state.js';
import { Fact, Facts } from '../components/facts.js';
import { notify } from '../components/notify.js';
import { usePagedList } from '../components/paged-list.js';
import { StateBadge } from '../components/state-badge.js';
import { activityCopy, commonCopy } from '../copy/copy.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { clientsCopy } from '../copy/on-demand-copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { Card, CardActions, CardList } from './cards.js';
import { type IssuedSecret, RotateSecretDialog, SecretDates, SecretDialog } from './secrets.js';

const copy = clientsCopy;

export function ClientsPage() {
  const [action, setAction] = useState<ClientAction>();
  const [showsDisabled, setShowsDisabled] = useState(false);
  const list = usePagedList<Schemas['Client']>({
    key: ['activity', 'clients'],
    load: async (page, signal) => (await rollcall.call('listClients', { query: page, signal })).body.data,
  });
  const disabled = list.items.filter(({ isActive }) => !isActive).length;
  const items = showsDisabled ? list.items : list.items.filter(({ isActive }) => isActive);
  return (
    <>
      <Group justify="space-between" mb="md">
        <Text c="dimmed">{copy.lead}</Text>
        <Button onClick={() => setAction({ kind: 'create' })}>{copy.create}</Button>
      </Group>
      {disabled > 0 && (
        <Switch
          label={copy.showDisabled(formatNumber(disabled))}
          size="sm"
          mb="md"
          checked={showsDisabled}
          onChange={(event) => setShowsDisabled(event.currentTarget.checked)}
        />
      )}
      <CardList
        list={{ ...list, items }}
        empty={
          disabled > 0 ? (
            <EmptyState title={copy.allDisabled} />
          ) : (
            <EmptyState title={copy.empty} hint={copy.emptyHint} />
          )
        }
        card={(client) => <ClientCard key={client.id} client={client} act={setAction} />}
      />
      {action && (
        <ClientDialog
          action={action}
          onAction={setAction}
          onDisabled={() => setShowsDisabled(true)}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}

type Client = Schemas['Client'];

type ClientAction =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'rotate' | 'disable' | 'enable'; readonly client: Client }
  | { readonly kind: 'secret'; readonly given: IssuedSecret };

function ClientCard({ client, act }: { client: Client; act: (action: ClientAction) => void }) {
  const { id, name, scopes, isActive, createdAt, lastUsedAt, secrets } = client;
  const action = (kind: 'edit' | 'rotate' | 'disable' | 'enable') => ({
    id: kind === 'enable' || kind === 'disable' ? 'switch' : kind,
    label: copy[kind],
    onClick: () => act({ kind, client }),
  });
  return (
    <Card
      name={name}
      badge={
        <StateBadge color={isActive ? 'green' : 'gray'}>
          {isActive ? copy.isActive : copy.isDisabled}
        </StateBadge>
      }
    >
      <Facts>
        <Fact name={copy.id}>{id}</Fact>
        <Fact name={copy.scopes}>
          {scopes.map((scope) => (
            <div key={scope}>{activityCopy.scopes[scope]}</div>
          ))}
          {scopes.includes('access:admin') && (
            <StateBadge color="red">{clientsCopy.isAdministrator}</StateBadge>
          )}
        </Fact>
        <Fact name={copy.secrets}>
          <SecretDates secrets={secrets} />
        </Fact>
        <Fact name={copy.created}>{formatDateTime(createdAt)}</Fact>
        <Fact name={copy.lastUsed}>{lastUsedAt === null ? copy.neverUsed : formatDateTime(lastUsedAt)}</Fact>
      </Facts>
      <CardActions
        name={name}
        actions={[action('edit'), action('rotate'), isActive ? action('disable') : action('enable')]}
      />
    </Card>
  );
}

interface ClientDialogProps {
  readonly action: ClientAction;
  readonly onAction: (action: ClientAction) => void;
  /** The client stays where the user sees it. */
  readonly onDisabled: () => void;
  readonly onClose: () => void;
}
const reload = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('client') });

function ClientDialog({ action, onAction, onDisabled, onClose }: ClientDialogProps) {
  switch (action.kind) {
    case 'create':
      return <ClientForm onSave={async (settings) => onAction(await create(settings))} onClose={onClose} />;
    case 'edit':
      return (
        <ClientForm
          client={action.client}
          onSave={(settings) => edit(action.client, settings)}
          onClose={onClose}
        />
      );
    case 'rotate':
      return (
        <RotateSecretDialog
          name={action.client.name}
          immediately={copy.rotateImmediately}
          rotate={(overlapSeconds) => rotate(action.client, overlapSeconds)}
          onRotated={(given) => onAction({ kind: 'secret', given })}
          onClose={onClose}
        />
      );
    case 'secret':
      return <SecretDialog {...action.given} onClose={onClose} />;
    default:
      return (
        <SwitchDialog
          client={action.client}
          isActive={action.kind === 'enable'}
          onDisabled={onDisabled}
          onClose={onClose}
        />
      );
  }
}

interface SwitchDialogProps {
  readonly client: Client;
  readonly isActive: boolean;
  readonly onDisabled: () => void;
  readonly onClose: () => void;
}

function SwitchDialog({ client: { id, name }, isActive, onDisabled, onClose }: SwitchDialogProps) {
  const apply = async () => {
    await rollcall.call('updateClient', { path: { id }, body: { isActive } });
    notify(isActive ? copy.wasEnabled(name) : copy.wasDisabled(name));
    if (!isActive) onDisabled();
    await reload();
  };
  return (
    <ConfirmDialog
      title={isActive ? copy.enableTitle(name) : copy.disableTitle(name)}
      confirm={isActive ? copy.enable : copy.disable}
      isDangerous={!isActive}
      failed={copy.failed}
      action={apply}
      onClose={onClose}
    >
      {isActive ? copy.enableText : copy.disableText}
    </ConfirmDialog>
  );
}

async function create(body: ClientSettings): Promise<ClientAction> {
  const reply = await rollcall.call('createClient', { body });
  void reload();
  const { id: clientId, secret } = reply.body.data;
  return { kind: 'secret', given: { clientId, secret } };
}

async function edit({ id }: Client, body: ClientSettings): Promise<void> {
  await rollcall.call('updateClient', { path: { id }, body });
  notify(copy.saved);
  await reload();
}

async function rotate({ id }: Client, overlapSeconds: number) {
  const reply = await rollcall.call('rotateClientSecret', { path: { id }, body: { overlapSeconds } });
  void reload();
  return { clientId: id, secret: reply.body.data.secret };
}

type Scope = Client['scopes'][number];
type ClientSettings = Required<Pick<Client, 'name' | 'scopes' | 'ignoresUnknownFields'>>;

interface ClientFormProps {
  /** The one that is changed; a new one without. */
  readonly client?: Client;
  readonly onSave: (settings: ClientSettings) => Promise<void>;
  readonly onClose: () => void;
}

function ClientForm({ client, onSave, onClose }: ClientFormProps) {
  const [name, setName] = useState(client?.name ?? '');
  const [scopes, setScopes] = useState<Scope[]>(client?.scopes ?? ['users:read']);
  const [ignoresUnknownFields, setIgnores] = useState(client?.ignoresUnknownFields ?? false);
  return (
    <FormDialog
      title={client ? copy.editTitle(client.name) : copy.create}
      save={client ? commonCopy.save : copy.create}
      failed={copy.failed}
      isComplete={scopes.length > 0}
      action={() => onSave({ name, scopes, ignoresUnknownFields })}
      staysOpen={!client}
      onClose={onClose}
    >
      <TextInput
        label={copy.name}
        description={copy.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Checkbox.Group
        label={copy.scopes}
        value={scopes}
        onChange={(chosen) => setScopes(chosen as Scope[])}
        error={scopes.length === 0 ? copy.scopesRequired : undefined}
      >
        <Stack gap="xs" mt="xs">
          {selectOptions(activityCopy.scopes).map(({ value, label }) => (
            <Checkbox
              key={value}
              value={value}
              label={
                value === 'access:admin' ? (
                  <>
                    {label} <StateBadge color="red">{clientsCopy.isAdministrator}</StateBadge>
                  </>
                ) : (
                  label
                )
              }
              description={clientsCopy.scopeHints[value]}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <Input.Wrapper
        component="fieldset"
        label={copy.data}
        labelElement="div"
        style={{ border: 0, padding: 0, margin: 0 }}
      >
        <Checkbox
          mt="xs"
          label={copy.ignoresUnknown}
          description={copy.ignoresUnknownHint}
          checked={ignoresUnknownFields}
          onChange={(event) => setIgnores(event.currentTarget.checked)}
        />
      </Input.Wrapper>
    </FormDialog>
  );
}
