import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { selectOptions } from '../../components/choices.js';
import { FormDialog } from '../../components/dialog.js';
import { activityCopy, commonCopy } from '../../copy/copy.js';
import type { Client } from './client-card.js';

type Scope = Client['scopes'][number];
export type ClientSettings = Schemas['CreateClient'];

interface ClientFormProps {
  /** The one that is changed; a new one without. */
  readonly client?: Client;
  readonly onSave: (settings: ClientSettings) => Promise<void>;
  readonly onClose: () => void;
}

const copy = activityCopy.clients;

export function ClientForm({ client, onSave, onClose }: ClientFormProps) {
  const [name, setName] = useState(client?.name ?? '');
  const [scopes, setScopes] = useState<Scope[]>(client?.scopes ?? ['users:read']);
  return (
    <FormDialog
      title={client ? copy.editTitle(client.name) : copy.create}
      save={client ? commonCopy.save : copy.create}
      failed={copy.failed}
      isComplete={scopes.length > 0}
      action={() => onSave({ name, scopes })}
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
            <Checkbox key={value} value={value} label={label} />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  );
}
