import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { AttributeForm } from '../components/attribute-form.js';
import { type Attribute, attributeLabel } from '../components/attribute-value.js';
import { refreshAttributes } from '../components/attributes.js';
import { ConfirmDialog, Dialog } from '../components/dialog.js';
import { notify } from '../components/notify.js';
import { Problem } from '../components/problem.js';
import { commonCopy, attributesCopy as copy } from '../copy/copy.js';
import { rollcall } from '../session/api.js';

export type AttributeAction =
  | { readonly verb: 'create' }
  | { readonly verb: 'edit' | 'retire' | 'restore' | 'remove'; readonly attribute: Attribute }
  | { readonly verb: 'removed'; readonly users: number; readonly callId: string };

interface AttributeDialogProps {
  readonly action: AttributeAction;
  /** Replaces the dialog with another one. */
  readonly onAction: (action: AttributeAction) => void;
  readonly onClose: () => void;
}

export function AttributeDialog({ action, onAction, onClose }: AttributeDialogProps) {
  switch (action.verb) {
    case 'create':
      return <AttributeForm onClose={onClose} />;
    case 'edit':
      return <AttributeForm attribute={action.attribute} onClose={onClose} />;
    case 'retire':
    case 'restore':
      return <Retire attribute={action.attribute} isRetired={action.verb === 'retire'} onClose={onClose} />;
    case 'remove':
      return <Remove attribute={action.attribute} onRemoved={onAction} onClose={onClose} />;
    case 'removed':
      return <Removed {...action} onClose={onClose} />;
  }
}

interface RetireProps {
  readonly attribute: Attribute;
  readonly isRetired: boolean;
  readonly onClose: () => void;
}

function Retire({ attribute, isRetired, onClose }: RetireProps) {
  const texts = isRetired ? copy.retire : copy.restore;
  const name = attributeLabel(attribute);
  const apply = async () => {
    await rollcall.call('updateAttribute', { path: { key: attribute.key }, body: { isRetired } });
    notify(texts.done(name));
    await refreshAttributes();
  };
  return (
    <ConfirmDialog
      title={texts.title(name)}
      confirm={texts.confirm}
      failed={texts.failed}
      action={apply}
      onClose={onClose}
    >
      {texts.text}
    </ConfirmDialog>
  );
}

interface RemoveProps {
  readonly attribute: Attribute;
  readonly onRemoved: (removed: AttributeAction) => void;
  readonly onClose: () => void;
}

/** Says how many users lose their value, and asks. */
function Remove({ attribute, onRemoved, onClose }: RemoveProps) {
  const { key } = attribute;
  const name = attributeLabel(attribute);
  const preview = useQuery({
    queryKey: ['attribute-users', key],
    queryFn: async ({ signal }) => (await deleteAttribute(key, { dryRun: true }, signal)).users,
    ...{ staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  });
  const count = preview.data;
  const remove = async () => {
    const { users, callId } = await deleteAttribute(key, { confirm: count ?? 0 }).catch((error) => {
      // Someone has given a user a value in the meantime.
      if (isRollcallError(error, 'ATTRIBUTE_IN_USE')) void preview.refetch();
      throw error;
    });
    notify(copy.remove.done(name));
    await refreshAttributes();
    if (callId) onRemoved({ verb: 'removed', users, callId });
    else onClose();
  };
  return (
    <ConfirmDialog
      title={copy.remove.title(name)}
      confirm={copy.remove.confirm(count ?? 0)}
      isDangerous
      isReady={count !== undefined && !preview.isFetching}
      failed={copy.remove.failed}
      action={remove}
      staysOpen
      onClose={onClose}
    >
      {preview.error && (
        <Problem
          title={copy.remove.notCounted}
          error={preview.error}
          onRetry={() => void preview.refetch()}
        />
      )}
      {preview.isPending && (
        <Group gap="xs" role="status">
          <Loader size="sm" aria-hidden />
          {copy.remove.counting}
        </Group>
      )}
      {count !== undefined && (
        <Stack gap="xs">
          <Text size="sm">{count === 0 ? copy.remove.unused : copy.remove.inUse(count)}</Text>
          {count > 0 && !attribute.isRetired && <Text size="sm">{copy.remove.alternative}</Text>}
        </Stack>
      )}
    </ConfirmDialog>
  );
}

interface RemovedProps {
  readonly users: number;
  readonly callId: string;
  readonly onClose: () => void;
}

function Removed({ users, callId, onClose }: RemovedProps) {
  return (
    <Dialog title={copy.remove.doneTitle} onClose={onClose}>
      <Text size="sm" role="status">
        {copy.remove.cleared(users)}
      </Text>
      <Group justify="space-between" mt="md">
        <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm">
          {copy.remove.view}
        </Anchor>
        <Button onClick={onClose}>{commonCopy.close}</Button>
      </Group>
    </Dialog>
  );
}

interface Deleted {
  readonly key: string;
  /** How many have, or had, a value. */
  readonly users: number;
  /** The call that cleared the values, if there were any. */
  readonly callId?: string | null;
}

async function deleteAttribute(
  key: string,
  query: { readonly dryRun: true } | { readonly confirm: number },
  signal?: AbortSignal,
): Promise<Deleted> {
  const options = { path: { key }, query, ...(signal && { signal }) };
  const { body } = await rollcall.call('deleteAttribute', options);
  return body.data;
}
