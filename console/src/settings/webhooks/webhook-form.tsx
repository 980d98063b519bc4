import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { useState } from 'react';
import { selectOptions } from '../../components/choices.js';
import { FormDialog } from '../../components/dialog.js';
import { activityCopy, commonCopy } from '../../copy/copy.js';
import type { Webhook } from './webhook.js';

type EventType = Webhook['eventTypes'][number];
type WebhookSettings = Pick<Webhook, 'url' | 'description' | 'eventTypes' | 'batchMax'>;

interface WebhookFormProps {
  /** The one that is changed; a new one without. */
  readonly webhook?: Webhook;
  readonly onSave: (settings: WebhookSettings) => Promise<void>;
  readonly onClose: () => void;
}

const copy = activityCopy.webhooks;
const allEventTypes = Object.keys(copy.eventTypes) as EventType[];

export function WebhookForm({ webhook, onSave, onClose }: WebhookFormProps) {
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
      onClose={onClose}
    >
      <TextInput
        label={copy.url}
        description={copy.urlHint}
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
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
          {selectOptions(copy.eventTypes).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
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
    </FormDialog>
  );
}
