import { Button, Checkbox, Group, NumberInput, SimpleGrid, Text, TextInput } from '@mantine/core';
import { limits, type Schemas } from '@rollcall/client';
import { useState } from 'react';
import { selectOptions } from '../components/choices.js';
import { ConfirmDialog, FormDialog } from '../components/dialog.js';
import { Advanced } from '../components/disclosure.js';
import { notify } from '../components/notify.js';
import { commonCopy } from '../copy/copy.js';
import { webhooksCopy } from '../copy/on-demand-copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { RotateSecretDialog, SecretDialog } from './secrets.js';
import { nameOf, type Webhook, type WebhookAction } from './webhook.js';

interface WebhookDialogProps {
  readonly action: Exclude<WebhookAction, { kind: 'deliveries' }>;
  readonly onAction: (action: WebhookAction) => void;
  readonly onClose: () => void;
}

const copy = webhooksCopy;

export function WebhookDialog({ action, onAction, onClose }: WebhookDialogProps) {
  const showSecret = (secret: string) => onAction({ kind: 'secret', given: { secret } });
  switch (action.kind) {
    case 'create':
      return (
        <WebhookForm
          onSave={async (settings) => showSecret(await createWebhook(settings))}
          onClose={onClose}
        />
      );
    case 'secret':
      return <SecretDialog {...action.given} onClose={onClose} />;
    case 'edit':
      return (
        <WebhookForm
          webhook={action.webhook}
          onSave={async (settings) => {
            await changeWebhook(action.webhook, settings);
            notify(copy.saved);
          }}
          onClose={onClose}
        />
      );
    case 'rotate':
      return (
        <RotateSecretDialog
          name={nameOf(action.webhook)}
          rotate={async (overlapSeconds) => ({ secret: await rotateSecret(action.webhook, overlapSeconds) })}
          onRotated={({ secret }) => showSecret(secret)}
          onClose={onClose}
        />
      );
    case 'replay':
      return (
        <ReplayDialog webhook={action.webhook} onReplayed={() => notify(copy.replayed)} onClose={onClose} />
      );
    default:
      return <Ask verb={action.kind} webhook={action.webhook} onClose={onClose} />;
  }
}

const questions = {
  enable: { title: copy.enableTitle, done: copy.wasEnabled, text: () => copy.enableText },
  disable: { title: copy.disableTitle, done: copy.wasDisabled, text: () => copy.disableText },
  remove: { title: copy.removeTitle, done: copy.wasRemoved, text: copy.removeText },
} as const;

interface AskProps {
  readonly verb: keyof typeof questions;
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function Ask({ verb, webhook, onClose }: AskProps) {
  const { title, text, done } = questions[verb];
  const apply = async () => {
    if (verb === 'remove') await deleteWebhook(webhook);
    else await changeWebhook(webhook, { isActive: verb === 'enable' });
    notify(done);
  };
  return (
    <ConfirmDialog
      title={title}
      confirm={copy[verb]}
      isDangerous={verb !== 'enable'}
      failed={copy.failed}
      action={apply}
      onClose={onClose}
    >
      {text(nameOf(webhook))}
    </ConfirmDialog>
  );
}

type EventType = Webhook['eventTypes'][number];
type WebhookSettings = Pick<Webhook, 'url' | 'description' | 'eventTypes' | 'batchMax'>;

interface WebhookFormProps {
  /** The one that is changed; a new one without. */
  readonly webhook?: Webhook;
  readonly onSave: (settings: WebhookSettings) => Promise<void>;
  readonly onClose: () => void;
}
const eventGroups = ['user', 'call', 'feed'] as const;
const allEventTypes = Object.keys(copy.eventTypes) as EventType[];

function WebhookForm({ webhook, onSave, onClose }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [eventTypes, setEventTypes] = useState<EventType[]>(webhook?.eventTypes ?? allEventTypes);
  const [batchMax, setBatchMax] = useState<number | string>(webhook?.batchMax ?? limits.webhookBatchDefault);
  const save = () =>
    onSave({
      url: url.trim(),
      description: description.trim() || null,
      eventTypes,
      batchMax: Number(batchMax),
    });
  return (
    <FormDialog
      title={webhook ? copy.editTitle : copy.create}
      save={webhook ? commonCopy.save : copy.create}
      failed={copy.failed}
      isComplete={eventTypes.length > 0}
      action={save}
      staysOpen={!webhook}
      fields={['url']}
      onClose={onClose}
    >
      {(rejected) => (
        <>
          <TextInput
            label={copy.url}
            description={copy.urlHint}
            error={rejected?.text}
            inputMode="url"
            value={url}
            onChange={(event) => setUrl(event.currentTarget.value)}
            required
            data-autofocus
          />
          <TextInput
            label={copy.description}
            description={copy.descriptionHint}
            value={description}
            onChange={(event) => setDescription(event.currentTarget.value)}
          />
          <Checkbox.Group
            label={copy.events}
            value={eventTypes}
            onChange={(chosen) => setEventTypes(chosen as EventType[])}
            error={eventTypes.length === 0 ? copy.eventsRequired : undefined}
          >
            <Group gap="xs" mt={4}>
              <Button variant="default" size="compact-xs" onClick={() => setEventTypes(allEventTypes)}>
                {copy.all}
              </Button>
              <Button variant="default" size="compact-xs" onClick={() => setEventTypes([])}>
                {copy.noneOf}
              </Button>
            </Group>
            {eventGroups.map((group) => (
              <fieldset
                key={group}
                style={{ border: 0, padding: 0, margin: 'var(--mantine-spacing-sm) 0 0' }}
              >
                <Text component="legend" size="sm" c="dimmed" p={0}>
                  {copy.groups[group]}
                </Text>
                <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt={4}>
                  {selectOptions(copy.eventTypes)
                    .filter(({ value }) => value.startsWith(`${group}.`))
                    .map(({ value, label }) => (
                      <Checkbox key={value} value={value} label={label} />
                    ))}
                </SimpleGrid>
              </fieldset>
            ))}
            <Text size="xs" c="dimmed" mt="xs">
              {copy.futureEvents}
            </Text>
          </Checkbox.Group>
          <Advanced>
            <NumberInput
              label={copy.batchMax}
              description={copy.batchHint}
              value={batchMax}
              onChange={setBatchMax}
              min={1}
              max={limits.webhookBatchMax}
              allowDecimal={false}
              required
              maw={260}
            />
          </Advanced>
        </>
      )}
    </FormDialog>
  );
}

interface ReplayDialogProps {
  readonly webhook: Webhook;
  readonly onReplayed: () => void;
  readonly onClose: () => void;
}

function ReplayDialog({ webhook, onReplayed, onClose }: ReplayDialogProps) {
  const [since, setSince] = useState('');
  const [from, setFrom] = useState<number | string>('');
  const act = async () => {
    await replay(
      webhook,
      from === '' ? { since: new Date(since).toISOString() } : { fromSequence: Number(from) },
    );
    onReplayed();
  };
  return (
    <FormDialog
      title={copy.replayTitle}
      save={copy.replayConfirm}
      failed={copy.replayFailed}
      action={act}
      onClose={onClose}
    >
      <Text size="sm">{copy.replayText}</Text>
      <TextInput
        type="datetime-local"
        label={copy.replaySince}
        description={copy.replaySinceHint}
        value={since}
        onChange={(event) => setSince(event.currentTarget.value)}
        required={from === ''}
        data-autofocus
        maw={260}
      />
      <Advanced>
        <NumberInput
          label={copy.replayFrom}
          description={`${copy.replayInstead} ${copy.replayHint(webhook.deliveredUpTo)}`}
          value={from}
          onChange={setFrom}
          min={1}
          allowDecimal={false}
          allowNegative={false}
          maw={260}
        />
      </Advanced>
    </FormDialog>
  );
}

type ById = Pick<Webhook, 'id'>;

const reload = () => queryClient.invalidateQueries({ queryKey: ['activity', 'webhooks'] });

/** Returns the secret, which the service shows only once. */
async function createWebhook(body: Schemas['CreateWebhook']): Promise<string> {
  const reply = await rollcall.call('createWebhook', { body });
  void reload();
  return reply.body.data.secret;
}

async function changeWebhook({ id }: ById, body: Schemas['PatchWebhook']): Promise<void> {
  await rollcall.call('updateWebhook', { path: { id }, body });
  await reload();
}

async function deleteWebhook({ id }: ById): Promise<void> {
  await rollcall.call('deleteWebhook', { path: { id } });
  await reload();
}

async function rotateSecret({ id }: ById, overlapSeconds: number): Promise<string> {
  const reply = await rollcall.call('rotateWebhookSecret', { path: { id }, body: { overlapSeconds } });
  void reload();
  return reply.body.data.secret;
}

async function replay({ id }: ById, body: Schemas['ReplayWebhook']): Promise<void> {
  await rollcall.call('replayWebhook', { path: { id }, body });
  await reload();
}
