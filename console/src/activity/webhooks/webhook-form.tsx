import { Checkbox, NumberInput, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import { optionsOf } from '../../components/choices.js';
import { FormDialog } from '../../components/form-dialog.js';
import { texts } from '../../copy/index.js';
import type { Webhook } from './webhook.js';

type EventType = Webhook['eventTypes'][number];
type WebhookSettings = Pick<Webhook, 'url' | 'description' | 'eventTypes' | 'batchMax'>;

interface WebhookFormProps {
  /** The one that is changed; a new one without. */
  readonly webhook?: Webhook;
  readonly onSave: (settings: WebhookSettings) => Promise<void>;
  readonly onClose: () => void;
}

const words = texts.activity.webhooks;
const everything = Object.keys(words.eventTypes) as EventType[];
const usualBatchMax = 100;

export function WebhookForm({ webhook, onSave, onClose }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [description, setDescription] = useState(webhook?.description ?? '');
  const [eventTypes, setEventTypes] = useState<EventType[]>(webhook?.eventTypes ?? everything);
  const [batchMax, setBatchMax] = useState<number | string>(webhook?.batchMax ?? usualBatchMax);
  const save = () =>
    onSave({
      url: url.trim(),
      description: description.trim() || null,
      eventTypes,
      batchMax: Number(batchMax),
    });
  return (
    <FormDialog
      title={webhook ? words.editTitle : words.createTitle}
      save={webhook ? texts.common.save : words.create}
      failed={words.failed}
      isComplete={eventTypes.length > 0}
      action={save}
      staysOpen={!webhook}
      onClose={onClose}
    >
      <TextInput
        label={words.url}
        description={words.urlHint}
        inputMode="url"
        value={url}
        onChange={(event) => setUrl(event.currentTarget.value)}
        required
        data-autofocus
      />
      <TextInput
        label={words.description}
        description={words.descriptionHint}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
      />
      <Checkbox.Group
        label={words.events}
        value={eventTypes}
        onChange={(chosen) => setEventTypes(chosen as EventType[])}
        error={eventTypes.length === 0 ? words.eventsRequired : undefined}
      >
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs" mt="xs">
          {optionsOf(words.eventTypes).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </SimpleGrid>
      </Checkbox.Group>
      <NumberInput
        label={words.batchMax}
        description={words.batchHint}
        value={batchMax}
        onChange={setBatchMax}
        min={1}
        max={1000}
        allowDecimal={false}
        required
        maw={260}
      />
    </FormDialog>
  );
}
