import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { optionsOf } from '../../components/choices.js';
import { FormDialog } from '../../components/form-dialog.js';
import { texts } from '../../copy/index.js';
import type { Client } from './client-card.js';

type Scope = Client['scopes'][number];
export type ClientSettings = Schemas['CreateClient'];

interface ClientFormProps {
  /** The one that is changed; a new one without. */
  readonly client?: Client;
  readonly onSave: (settings: ClientSettings) => Promise<void>;
  readonly onClose: () => void;
}

const words = texts.activity.clients;

export function ClientForm({ client, onSave, onClose }: ClientFormProps) {
  const [name, setName] = useState(client?.name ?? '');
  const [scopes, setScopes] = useState<Scope[]>(client?.scopes ?? ['users:read']);
  return (
    <FormDialog
      title={client ? words.editTitle(client.name) : words.createTitle}
      save={client ? texts.common.save : words.create}
      failed={words.failed}
      isComplete={scopes.length > 0}
      action={() => onSave({ name, scopes })}
      staysOpen={!client}
      onClose={onClose}
    >
      <TextInput
        label={words.name}
        description={words.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <Checkbox.Group
        label={words.scopes}
        value={scopes}
        onChange={(chosen) => setScopes(chosen as Scope[])}
        error={scopes.length === 0 ? words.scopesRequired : undefined}
      >
        <Stack gap="xs" mt="xs">
          {optionsOf(texts.activity.scopes).map(({ value, label }) => (
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
