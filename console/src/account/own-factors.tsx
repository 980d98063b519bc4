import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { queryOptions, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog, Dialog, FormDialog } from '../components/dialog.js';
import { notify } from '../components/notify.js';
import { type Column, ListTable, type PagedList } from '../components/paged-list.js';
import { ActionProblem, Problem } from '../components/problem.js';
import { RowMenu } from '../components/row-menu.js';
import { Section } from '../components/section.js';
import { factorsCopy as copy } from '../copy/account-copy.js';
import { formatDateTime } from '../copy/format.js';
import { queryClient, rollcall } from '../session/api.js';
import { AddApp, type NewCodes } from './add-app.js';
import { AddPasskey } from './add-passkey.js';
import { RecoveryCodes } from './recovery-codes.js';

type Factor = Schemas['Factor'];

const factorsQuery = queryOptions({
  queryKey: ['own-factors'],
  queryFn: async ({ signal }) => (await rollcall.call('listOwnFactors', { signal })).body.data,
});

type Opened =
  | { readonly dialog: 'app' }
  | { readonly dialog: 'codes'; readonly codes: readonly string[] }
  | { readonly dialog: 'rename' | 'remove'; readonly factor: Factor };

/** What the user proves besides the password. */
export function OwnFactors() {
  const { data, error, refetch } = useQuery(factorsQuery);
  const [opened, setOpened] = useState<Opened>();
  const changed = (codes: NewCodes = null) => {
    setOpened(codes ? { dialog: 'codes', codes } : undefined);
    void queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey });
  };
  return (
    <Section title={copy.title} hint={copy.lead} maxWidth={900}>
      <Stack gap="sm">
        {error && <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} />}
        {data ? <Factors {...data} onOpen={setOpened} onCodes={changed} /> : <Skeleton height={60} />}
        <Group>
          <AddPasskey onAdded={changed} />
          <Button variant="default" onClick={() => setOpened({ dialog: 'app' })}>
            {copy.addApp}
          </Button>
        </Group>
      </Stack>
      {opened && <FactorDialog opened={opened} onChanged={changed} onClose={() => setOpened(undefined)} />}
    </Section>
  );
}

interface FactorsProps {
  readonly factors: readonly Factor[];
  readonly recoveryCodesLeft: number;
  readonly onOpen: (opened: Opened) => void;
  readonly onCodes: (codes: NewCodes) => void;
}

function Factors({ factors, recoveryCodesLeft, onOpen, onCodes }: FactorsProps) {
  const renewing = useMutation({
    mutationFn: async () => (await rollcall.call('renewRecoveryCodes', {})).body.data.recoveryCodes,
    onSuccess: onCodes,
  });
  if (factors.length === 0) return <Text size="sm">{copy.none}</Text>;
  return (
    <>
      <ListTable
        label={copy.table}
        columns={[...columns, actionsColumn(onOpen)]}
        list={wholeList(factors)}
        keyOf={({ id }) => id}
        empty={null}
      />
      <Group gap="xs">
        <Text size="sm">{copy.codesLeft(recoveryCodesLeft)}</Text>
        <Button
          size="compact-sm"
          variant="default"
          title={copy.newCodesHint}
          loading={renewing.isPending}
          onClick={() => renewing.mutate()}
        >
          {copy.newCodes}
        </Button>
      </Group>
      <ActionProblem title={copy.failed} error={renewing.error} />
    </>
  );
}

/** There are few, which come at once. */
function wholeList<Item>(items: readonly Item[]): PagedList<Item> {
  const state = { isLoading: false, error: undefined, hasMore: false, isLoadingMore: false };
  return { items, ...state, reload: () => {}, loadMore: () => {} };
}

const columns: readonly Column<Factor>[] = [
  { header: copy.name, cell: ({ name }) => name },
  { header: copy.kind, cell: ({ kind }) => copy.kinds[kind] },
  { header: copy.added, isShort: true, cell: ({ createdAt }) => formatDateTime(createdAt) },
  {
    header: copy.lastUsed,
    isShort: true,
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? copy.never : formatDateTime(lastUsedAt)),
  },
];

const verbs = ['rename', 'remove'] as const;

function actionsColumn(open: (opened: Opened) => void): Column<Factor> {
  return {
    header: copy.actions,
    isNumber: true,
    cell: (factor) => (
      <RowMenu
        label={copy.actionsOf(factor.name)}
        verbs={verbs}
        textOf={(verb) => copy[verb]}
        onChoose={(dialog) => open({ dialog, factor })}
      />
    ),
  };
}

interface FactorDialogProps {
  readonly opened: Opened;
  readonly onChanged: (codes?: NewCodes) => void;
  readonly onClose: () => void;
}

function FactorDialog({ opened, onChanged, onClose }: FactorDialogProps) {
  switch (opened.dialog) {
    case 'app':
      return (
        <Dialog title={copy.appTitle} onClose={onClose} closeOnClickOutside={false}>
          <AddApp onAdded={onChanged} />
        </Dialog>
      );
    case 'codes':
      return (
        <Dialog title={copy.codesTitle} onClose={onClose} closeOnClickOutside={false} closeOnEscape={false}>
          <RecoveryCodes codes={opened.codes} onSaved={onClose} />
        </Dialog>
      );
    case 'rename':
      return <RenameDialog factor={opened.factor} onChanged={onChanged} onClose={onClose} />;
    case 'remove':
      return <RemoveDialog factor={opened.factor} onChanged={onChanged} onClose={onClose} />;
  }
}

type ChangeProps = Pick<FactorDialogProps, 'onChanged' | 'onClose'> & { readonly factor: Factor };

function RenameDialog({ factor: { id, name: before }, onChanged, onClose }: ChangeProps) {
  const [name, setName] = useState(before);
  const rename = async () => {
    await rollcall.call('renameFactor', { path: { id }, body: { name } });
    onChanged();
  };
  return (
    <FormDialog
      title={copy.renameTitle(before)}
      save={copy.save}
      failed={copy.failed}
      isComplete={name.trim() !== ''}
      action={rename}
      onClose={onClose}
    >
      <TextInput
        label={copy.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={60}
        data-autofocus
        required
        withAsterisk={false}
      />
    </FormDialog>
  );
}

function RemoveDialog({ factor: { id, name }, onChanged, onClose }: ChangeProps) {
  const remove = async () => {
    await rollcall.call('removeFactor', { path: { id } });
    notify(copy.removed);
    onChanged();
  };
  return (
    <ConfirmDialog
      title={copy.removeTitle(name)}
      confirm={copy.remove}
      isDangerous
      failed={copy.failed}
      action={remove}
      onClose={onClose}
    >
      {copy.removeHint}
    </ConfirmDialog>
  );
}
