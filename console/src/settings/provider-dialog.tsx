import { Button, NativeSelect, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { selectOptions } from '../components/choices.js';
import { ConfirmDialog, Dialog, FormDialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { notify } from '../components/notify.js';
import { commonCopy } from '../copy/copy.js';
import { provisioningCopy as copy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { createToken, type Provider, reloadProviders } from './provider.js';
import type { ClientToken } from './provider-tokens.js';
import { CopyableText } from './secrets.js';

export type ProviderAction =
  | { readonly kind: 'edit' | 'allow' | 'token'; readonly provider: Provider }
  | { readonly kind: 'revoke'; readonly provider: Provider; readonly token: ClientToken }
  | { readonly kind: 'created'; readonly token: string };

interface ProviderDialogProps {
  readonly action: ProviderAction;
  /** Replaces the dialog with another one. */
  readonly onAction: (action: ProviderAction) => void;
  readonly onClose: () => void;
}

export function ProviderDialog({ action, onAction, onClose }: ProviderDialogProps) {
  switch (action.kind) {
    case 'edit':
      return <SettingsForm provider={action.provider} onClose={onClose} />;
    case 'allow':
      return <AllowForm provider={action.provider} onClose={onClose} />;
    case 'token':
      return (
        <TokenForm
          provider={action.provider}
          onCreated={(token) => onAction({ kind: 'created', token })}
          onClose={onClose}
        />
      );
    case 'created':
      return <CreatedToken token={action.token} onClose={onClose} />;
    case 'revoke':
      return <Revoke {...action} onClose={onClose} />;
  }
}

interface FormProps {
  readonly provider: Provider;
  readonly onClose: () => void;
}

function SettingsForm({ provider: { clientId, name, settings }, onClose }: FormProps) {
  const [draft, setDraft] = useState(settings);
  const [percent, setPercent] = useState<number | string>(settings.deactivationPercent);
  const texts = copy.settings;
  const save = async () => {
    const body = { ...draft, deactivationPercent: Number(percent) };
    await rollcall.call('setScimProvider', { path: { id: clientId }, body });
    notify(texts.saved);
    await reloadProviders();
  };
  const choice = <Name extends 'kind' | 'onDelete' | 'employeeId' | 'visibleUsers' | 'unknownAttributes'>(
    field: Name,
    label: string,
    choices: Readonly<Record<Provider['settings'][Name], string>>,
  ) => (
    <NativeSelect
      label={label}
      data={selectOptions(choices)}
      value={draft[field]}
      onChange={(event) => setDraft({ ...draft, [field]: event.currentTarget.value })}
    />
  );
  return (
    <FormDialog
      title={texts.dialog(name)}
      save={commonCopy.save}
      failed={texts.cannotSave}
      action={save}
      onClose={onClose}
    >
      {choice('kind', copy.kind, copy.kinds)}
      {choice('employeeId', texts.employeeId, texts.employeeIdChoices)}
      {choice('onDelete', texts.onDelete, texts.onDeleteChoices)}
      {choice('visibleUsers', texts.visibleUsers, texts.visibleUsersChoices)}
      {choice('unknownAttributes', texts.unknownAttributes, texts.unknownAttributesChoices)}
      <NumberInput
        label={texts.percent}
        description={texts.percentHint}
        value={percent}
        onChange={setPercent}
        min={0}
        max={100}
        allowDecimal={false}
        required
      />
    </FormDialog>
  );
}

const hoursDefault = 24;
const hoursMax = 72;

function AllowForm({ provider: { clientId, name }, onClose }: FormProps) {
  const [count, setCount] = useState<number | string>('');
  const [hours, setHours] = useState<number | string>(hoursDefault);
  const texts = copy.deactivations;
  const allow = async () => {
    const body = { count: Number(count), hours: Number(hours) };
    await rollcall.call('allowScimDeactivations', { path: { id: clientId }, body });
    notify(texts.done);
    await reloadProviders();
  };
  return (
    <FormDialog
      title={texts.title(name)}
      save={texts.confirm}
      failed={texts.cannotAllow}
      action={allow}
      onClose={onClose}
    >
      <Text size="sm">{texts.text}</Text>
      <NumberInput
        label={texts.count}
        value={count}
        onChange={setCount}
        min={1}
        allowDecimal={false}
        allowNegative={false}
        required
        data-autofocus
        maw={260}
      />
      <NumberInput
        label={texts.hours}
        value={hours}
        onChange={setHours}
        min={1}
        max={hoursMax}
        allowDecimal={false}
        required
        maw={260}
      />
    </FormDialog>
  );
}

interface TokenFormProps extends FormProps {
  readonly onCreated: (token: string) => void;
}

function TokenForm({ provider, onCreated, onClose }: TokenFormProps) {
  const [name, setName] = useState(provider.name);
  const [days, setDays] = useState('0');
  const texts = copy.tokens;
  const create = async () =>
    onCreated(await createToken(provider.clientId, name, days === '0' ? null : Number(days)));
  return (
    <FormDialog
      title={texts.create}
      save={texts.create}
      failed={texts.cannotCreate}
      action={create}
      staysOpen
      onClose={onClose}
    >
      <TextInput
        label={texts.name}
        description={texts.nameHint}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        required
        data-autofocus
      />
      <NativeSelect
        label={texts.expiresAfter}
        data={selectOptions(texts.expiresChoices)}
        value={days}
        onChange={(event) => setDays(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

/** Closes only with its button, because the token cannot be shown again. */
function CreatedToken({ token, onClose }: { token: string; onClose: () => void }) {
  return (
    <Dialog
      onClose={onClose}
      title={copy.tokens.dialog}
      withCloseButton={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      size="lg"
    >
      <Stack>
        <Notice color="yellow">{copy.tokens.once}</Notice>
        <CopyableText label={copy.tokens.label} value={token} />
        <Button onClick={onClose}>{copy.tokens.done}</Button>
      </Stack>
    </Dialog>
  );
}

function Revoke({ provider, token, onClose }: FormProps & { token: ClientToken }) {
  const texts = copy.tokens;
  const revoke = async () => {
    await rollcall.call('revokeClientToken', { path: { id: provider.clientId, tokenId: token.id } });
    notify(texts.revoked);
    await reloadProviders();
  };
  return (
    <ConfirmDialog
      title={texts.revokeTitle(token.name)}
      confirm={texts.revoke}
      isDangerous
      failed={texts.cannotRevoke}
      action={revoke}
      onClose={onClose}
    >
      {texts.revokeText}
    </ConfirmDialog>
  );
}
