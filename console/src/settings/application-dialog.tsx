import { Checkbox, MultiSelect, NumberInput, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { attributeName } from '../components/attribute-value.js';
import { useAttributes } from '../components/attributes.js';
import { selectOptions } from '../components/choices.js';
import { ConfirmDialog, FormDialog } from '../components/dialog.js';
import { EntriesInput } from '../components/entry-inputs.js';
import { notify } from '../components/notify.js';
import { applicationsCopy as copy } from '../copy/account-copy.js';
import { commonCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import type { Application, ApplicationAction } from './application.js';
import { type IssuedSecret, RotateSecretDialog, SecretDialog } from './secrets.js';

interface ApplicationDialogProps {
  readonly action: ApplicationAction;
  readonly onAction: (action: ApplicationAction) => void;
  readonly onClose: () => void;
}

export function ApplicationDialog({ action, onAction, onClose }: ApplicationDialogProps) {
  const showSecret = (given: IssuedSecret) => onAction({ kind: 'secret', given });
  switch (action.kind) {
    case 'create':
      return <ApplicationForm onSecret={showSecret} onClose={onClose} />;
    case 'edit':
      return <ApplicationForm application={action.application} onSecret={showSecret} onClose={onClose} />;
    case 'secret':
      return <SecretDialog {...action.given} onClose={onClose} />;
    case 'rotate':
      return (
        <RotateSecretDialog
          name={action.application.name}
          immediately={copy.rotateNow}
          rotate={(overlapSeconds) => rotateSecret(action.application, overlapSeconds)}
          onRotated={showSecret}
          onClose={onClose}
        />
      );
    default:
      return <Ask verb={action.kind} application={action.application} onClose={onClose} />;
  }
}

const questions = {
  enable: { title: copy.enableTitle, text: copy.enableText, done: copy.saved },
  disable: { title: copy.disableTitle, text: copy.disableText, done: copy.saved },
  remove: { title: copy.removeTitle, text: copy.removeText, done: copy.removed },
} as const;

interface AskProps {
  readonly verb: keyof typeof questions;
  readonly application: Application;
  readonly onClose: () => void;
}

function Ask({ verb, application: { id, name }, onClose }: AskProps) {
  const { title, text, done } = questions[verb];
  const apply = async () => {
    if (verb === 'remove') await rollcall.call('deleteApplication', { path: { id } });
    else await rollcall.call('updateApplication', { path: { id }, body: { isActive: verb === 'enable' } });
    await reload();
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
      {text(name)}
    </ConfirmDialog>
  );
}

type Settings = Required<Omit<Schemas['CreateApplication'], 'isPublic' | 'redirectUris' | 'postLogoutUris'>>;

const fresh = {
  ...{ name: '', attributes: [], organizationSerials: [], tagSerials: [] },
  scopes: ['openid', 'profile', 'email'],
  accessTokenSeconds: 600,
  refreshTokenDays: 30,
} satisfies Settings;

interface FormProps {
  /** The one that is changed; a new one without. */
  readonly application?: Application;
  readonly onSecret: (given: IssuedSecret) => void;
  readonly onClose: () => void;
}

function ApplicationForm({ application, onSecret, onClose }: FormProps) {
  const [settings, setSettings] = useState<Settings>(application ? settingsOf(application) : fresh);
  const [kind, setKind] = useState<keyof typeof copy.kinds>('confidential');
  const [uris, setUris] = useState({
    redirect: application?.redirectUris.join('\n') ?? '',
    postLogout: application?.postLogoutUris.join('\n') ?? '',
  });
  const attributes = useAttributes();
  const change = (part: Partial<Settings>) => setSettings((before) => ({ ...before, ...part }));
  const scopes: readonly string[] = settings.scopes ?? [];
  const save = async () => {
    const body = {
      ...settings,
      redirectUris: linesOf(uris.redirect),
      postLogoutUris: linesOf(uris.postLogout),
    };
    if (application) {
      await rollcall.call('updateApplication', { path: { id: application.id }, body });
      await reload();
      notify(copy.saved);
      return;
    }
    const reply = await rollcall.call('createApplication', {
      body: { ...body, isPublic: kind === 'public' },
    });
    void reload();
    const { id: clientId, secret } = reply.body.data;
    if (secret !== null) return onSecret({ clientId, secret });
    notify(copy.saved);
    onClose();
  };
  return (
    <FormDialog
      title={application ? copy.editTitle : copy.create}
      save={application ? commonCopy.save : copy.create}
      failed={copy.failed}
      action={save}
      staysOpen={!application}
      fields={['redirectUris', 'postLogoutUris']}
      onClose={onClose}
    >
      {(rejected) => (
        <>
          <TextInput
            label={copy.name}
            description={copy.nameHint}
            value={settings.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            required
            data-autofocus
          />
          {!application && (
            <Select
              label={copy.kind}
              data={selectOptions(copy.kinds)}
              value={kind}
              onChange={(chosen) => chosen && setKind(chosen as typeof kind)}
              allowDeselect={false}
            />
          )}
          <Textarea
            label={copy.redirectUris}
            description={copy.urisHint}
            error={rejected?.field === 'redirectUris' && copy.urisRejected}
            value={uris.redirect}
            onChange={({ currentTarget: { value: redirect } }) =>
              setUris((before) => ({ ...before, redirect }))
            }
            autosize
            minRows={2}
            required
          />
          <Textarea
            label={copy.postLogoutUris}
            error={rejected?.field === 'postLogoutUris' && copy.urisRejected}
            value={uris.postLogout}
            onChange={({ currentTarget: { value: postLogout } }) =>
              setUris((before) => ({ ...before, postLogout }))
            }
            autosize
            minRows={1}
          />
          <Checkbox.Group
            label={copy.scopes}
            value={[...scopes]}
            onChange={(chosen) => change({ scopes: chosen as Settings['scopes'] })}
          >
            <Stack gap="xs" mt="xs">
              {selectOptions(copy.scopeNames).map(({ value, label }) => (
                <Checkbox key={value} value={value} label={label} disabled={value === 'openid'} />
              ))}
            </Stack>
          </Checkbox.Group>
          {scopes.includes('employee') && attributes.length > 0 && (
            <MultiSelect
              label={copy.attributes}
              description={copy.attributesHint}
              data={attributes.map((attribute) => ({
                value: attribute.key,
                label: attributeName(`attributes.${attribute.key}`, attributes),
              }))}
              value={[...(settings.attributes ?? [])]}
              onChange={(chosen) => change({ attributes: chosen })}
            />
          )}
          <EntriesInput
            kind="organizations"
            label={copy.organizations}
            value={settings.organizationSerials ?? []}
            onChange={(organizationSerials) => change({ organizationSerials })}
          />
          <EntriesInput
            kind="tags"
            label={copy.tags}
            value={settings.tagSerials ?? []}
            onChange={(tagSerials) => change({ tagSerials })}
          />
          <NumberInput
            label={copy.accessTokenSeconds}
            value={settings.accessTokenSeconds ?? fresh.accessTokenSeconds}
            onChange={(value) => change({ accessTokenSeconds: Number(value) })}
            min={60}
            max={3_600}
            allowDecimal={false}
            required
            maw={260}
          />
          {scopes.includes('offline_access') && (
            <NumberInput
              label={copy.refreshTokenDays}
              value={settings.refreshTokenDays ?? fresh.refreshTokenDays}
              onChange={(value) => change({ refreshTokenDays: Number(value) })}
              min={1}
              max={365}
              allowDecimal={false}
              required
              maw={260}
            />
          )}
        </>
      )}
    </FormDialog>
  );
}

function settingsOf(application: Application): Settings {
  const { name, scopes, attributes, organizationSerials, tagSerials } = application;
  const { accessTokenSeconds, refreshTokenDays } = application;
  return {
    ...{ name, scopes, attributes, organizationSerials, tagSerials },
    ...{ accessTokenSeconds, refreshTokenDays },
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

const reload = () => queryClient.invalidateQueries({ queryKey: ['settings', 'applications'] });

async function rotateSecret({ id }: Application, overlapSeconds: number): Promise<IssuedSecret> {
  const reply = await rollcall.call('rotateApplicationSecret', { path: { id }, body: { overlapSeconds } });
  void reload();
  return { clientId: id, secret: reply.body.data.secret ?? '' };
}
