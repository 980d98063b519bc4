import { NumberInput, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { useState } from 'react';
import { UserLink } from '../components/actor.js';
import { selectOptions } from '../components/choices.js';
import { ConfirmDialog, Dialog, FormDialog } from '../components/dialog.js';
import { useDisplayNames } from '../components/directory.js';
import { EmptyState } from '../components/empty-state.js';
import { EntriesInput } from '../components/entry-inputs.js';
import { notify } from '../components/notify.js';
import { ListTable, usePagedList } from '../components/paged-list.js';
import { commonCopy } from '../copy/copy.js';
import { targetsCopy as copy } from '../copy/on-demand-copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { errorText, type Target, type TargetAction, type TargetVerb } from './target.js';

interface TargetDialogProps {
  readonly action: TargetAction;
  readonly onClose: () => void;
}

export function TargetDialog({ action, onClose }: TargetDialogProps) {
  switch (action.kind) {
    case 'create':
      return <TargetForm onClose={onClose} />;
    case 'edit':
      return <TargetForm target={action.target} onClose={onClose} />;
    case 'differences':
      return <DifferencesDialog target={action.target} onClose={onClose} />;
    case 'failures':
      return <FailuresDialog target={action.target} onClose={onClose} />;
    default:
      return <Ask verb={action.kind} target={action.target} onClose={onClose} />;
  }
}

const questions = {
  pause: { title: copy.pauseTitle, text: () => copy.pauseText, done: copy.saved },
  resume: { title: copy.resumeTitle, text: () => copy.resumeText, done: copy.saved },
  sync: { title: copy.syncTitle, text: () => copy.syncText, done: copy.done },
  compare: { title: copy.compareTitle, text: () => copy.compareText, done: copy.done },
  repair: { title: copy.repairTitle, text: () => copy.repairText, done: copy.done },
  remove: { title: copy.removeTitle, text: copy.removeText, done: copy.saved },
} as const;

function Ask({ verb, target, onClose }: { verb: TargetVerb; target: Target; onClose: () => void }) {
  const { title, text, done } = questions[verb];
  const apply = async () => {
    await act(verb, target.id);
    await reload();
    notify(done);
  };
  return (
    <ConfirmDialog
      title={title}
      confirm={copy[verb]}
      isDangerous={verb === 'remove' || verb === 'pause'}
      failed={copy.couldNotSave}
      action={apply}
      onClose={onClose}
    >
      {text(target.name)}
    </ConfirmDialog>
  );
}

async function act(verb: TargetVerb, id: string): Promise<void> {
  const path = { id };
  switch (verb) {
    case 'sync':
      await rollcall.call('syncScimTarget', { path });
      return;
    case 'compare':
      await rollcall.call('compareScimTarget', { path });
      return;
    case 'repair':
      await rollcall.call('repairScimTarget', { path });
      return;
    case 'remove':
      await rollcall.call('deleteScimTarget', { path });
      return;
    default:
      await rollcall.call('updateScimTarget', { path, body: { isPaused: verb === 'pause' } });
  }
}

const reload = () => queryClient.invalidateQueries({ queryKey: ['settings', 'targets'] });

interface TargetFormProps {
  /** The one that is changed; a new one without. */
  readonly target?: Target;
  readonly onClose: () => void;
}

type Settings = Omit<Schemas['CreateScimTarget'], 'token'>;

const fresh = {
  ...{
    name: '',
    url: '',
    organizationSerials: [],
    tagSerials: [],
    sendsGroups: false,
    sendsSensitive: false,
  },
  onDeactivate: 'deactivate',
  requestsPerSecond: 10,
} satisfies Settings;

function TargetForm({ target, onClose }: TargetFormProps) {
  const [settings, setSettings] = useState<Settings>(target ? settingsOf(target) : fresh);
  const [token, setToken] = useState('');
  const change = (part: Partial<Settings>) => setSettings((before) => ({ ...before, ...part }));
  const save = async () => {
    if (!target) await rollcall.call('createScimTarget', { body: { ...settings, token: token.trim() } });
    else {
      const body = { ...settings, ...(token.trim() === '' ? {} : { token: token.trim() }) };
      await rollcall.call('updateScimTarget', { path: { id: target.id }, body });
    }
    await reload();
    notify(copy.saved);
  };
  return (
    <FormDialog
      title={target ? copy.editTitle : copy.create}
      save={target ? commonCopy.save : copy.create}
      failed={copy.couldNotSave}
      action={save}
      fields={['url']}
      onClose={onClose}
    >
      {(rejected) => (
        <>
          <TextInput
            label={copy.name}
            value={settings.name}
            onChange={(event) => change({ name: event.currentTarget.value })}
            required
            data-autofocus
          />
          <TextInput
            label={copy.url}
            description={copy.urlHint}
            error={rejected?.text}
            inputMode="url"
            value={settings.url}
            onChange={(event) => change({ url: event.currentTarget.value })}
            required
          />
          <PasswordInput
            label={copy.token}
            description={target ? copy.tokenKept : copy.tokenHint}
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            required={!target}
            autoComplete="off"
          />
          <EntriesInput
            kind="organizations"
            label={copy.organizations}
            description={copy.organizationsHint}
            value={settings.organizationSerials ?? []}
            onChange={(organizationSerials) => change({ organizationSerials })}
          />
          <EntriesInput
            kind="tags"
            label={copy.tags}
            description={copy.tagsHint}
            value={settings.tagSerials ?? []}
            onChange={(tagSerials) => change({ tagSerials })}
          />
          <Select
            label={copy.onDeactivate}
            description={copy.onDeactivateHint}
            data={selectOptions(copy.actions)}
            value={settings.onDeactivate ?? fresh.onDeactivate}
            onChange={(chosen) => chosen && change({ onDeactivate: chosen as Target['onDeactivate'] })}
            allowDeselect={false}
          />
          <Switch
            label={copy.sendsGroups}
            checked={settings.sendsGroups === true}
            onChange={(event) => change({ sendsGroups: event.currentTarget.checked })}
          />
          <Switch
            label={copy.sendsSensitive}
            checked={settings.sendsSensitive === true}
            onChange={(event) => change({ sendsSensitive: event.currentTarget.checked })}
          />
          <NumberInput
            label={copy.rate}
            value={settings.requestsPerSecond ?? fresh.requestsPerSecond}
            onChange={(value) => change({ requestsPerSecond: Number(value) })}
            min={1}
            max={100}
            allowDecimal={false}
            required
            maw={260}
          />
        </>
      )}
    </FormDialog>
  );
}

function settingsOf(target: Target): Settings {
  const { name, url, organizationSerials, tagSerials, sendsGroups, sendsSensitive } = target;
  const { onDeactivate, requestsPerSecond } = target;
  return {
    ...{ name, url, organizationSerials, tagSerials, sendsGroups, sendsSensitive },
    ...{ onDeactivate, requestsPerSecond },
  };
}

interface SubjectProps {
  readonly userSerial: string | null;
  readonly tagSerial: string | null;
}

/** A user, or the tag of a group, by name. */
function Subject({ userSerial, tagSerial }: SubjectProps) {
  const names = useDisplayNames('tags', tagSerial === null ? [] : [tagSerial]);
  if (userSerial !== null) return <UserLink serial={userSerial} />;
  return tagSerial === null ? copy.unknownHere : copy.groupOf(names.get(tagSerial) ?? tagSerial);
}

function DifferencesDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const list = usePagedList<Schemas['ScimDifference']>({
    key: ['settings', 'targets', target.id, 'differences'],
    load: async (page, signal) =>
      (await rollcall.call('listScimDifferences', { path: { id: target.id }, query: page, signal })).body
        .data,
  });
  return (
    <Dialog title={copy.differencesTitle} size="xl" onClose={onClose}>
      <ListTable
        label={copy.differencesTitle}
        list={list}
        keyOf={({ id }) => id}
        empty={<EmptyState title={copy.noDifferences} />}
        columns={[
          { header: copy.kind, isShort: true, cell: ({ kind }) => copy.kinds[kind] },
          {
            header: copy.who,
            cell: ({ userSerial, tagSerial }) => <Subject userSerial={userSerial} tagSerial={tagSerial} />,
          },
          { header: copy.remoteId, cell: ({ remoteId }) => remoteId },
          { header: copy.fields, cell: ({ fields }) => fields.join(', ') },
        ]}
      />
    </Dialog>
  );
}

function FailuresDialog({ target, onClose }: { target: Target; onClose: () => void }) {
  const list = usePagedList<Schemas['ScimPushFailure']>({
    key: ['settings', 'targets', target.id, 'failures'],
    load: async (page, signal) =>
      (await rollcall.call('listScimPushFailures', { path: { id: target.id }, query: page, signal })).body
        .data,
  });
  return (
    <Dialog title={copy.failuresTitle} size="xl" onClose={onClose}>
      <ListTable
        label={copy.failuresTitle}
        list={list}
        keyOf={({ kind, serial }) => `${kind}:${serial}`}
        empty={<EmptyState title={copy.noFailures} />}
        columns={[
          {
            header: copy.who,
            cell: ({ kind, serial }) => (
              <Subject
                userSerial={kind === 'user' ? serial : null}
                tagSerial={kind === 'user' ? null : serial}
              />
            ),
          },
          { header: copy.lastError, cell: ({ error, status }) => errorText(error, status) },
          { header: copy.failed, cell: ({ attempts }) => copy.attempts(attempts) },
        ]}
      />
    </Dialog>
  );
}
