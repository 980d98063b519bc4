import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { RotateSecretDialog } from '../../components/rotate-secret-dialog.js';
import { SecretDialog } from '../../components/secret-dialog.js';
import { activityCopy } from '../../copy/copy.js';
import { queryClient, rollcall } from '../../session/api.js';
import type { Client, ClientAction } from './client-card.js';
import { ClientForm, type ClientSettings } from './client-form.js';

interface ClientDialogProps {
  readonly action: ClientAction;
  readonly onAction: (action: ClientAction) => void;
  readonly onClose: () => void;
}

const copy = activityCopy.clients;
const reload = () =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('client') });

export function ClientDialog({ action, onAction, onClose }: ClientDialogProps) {
  switch (action.kind) {
    case 'create':
      return <ClientForm onSave={async (settings) => onAction(await create(settings))} onClose={onClose} />;
    case 'edit':
      return (
        <ClientForm
          client={action.client}
          onSave={(settings) => edit(action.client, settings)}
          onClose={onClose}
        />
      );
    case 'rotate':
      return (
        <RotateSecretDialog
          name={action.client.name}
          immediately={copy.rotateImmediately}
          rotate={(overlapSeconds) => rotate(action.client, overlapSeconds)}
          onRotated={(given) => onAction({ kind: 'secret', given })}
          onClose={onClose}
        />
      );
    case 'secret':
      return <SecretDialog {...action.given} onClose={onClose} />;
    default:
      return <SwitchDialog client={action.client} isActive={action.kind === 'enable'} onClose={onClose} />;
  }
}

interface SwitchDialogProps {
  readonly client: Client;
  readonly isActive: boolean;
  readonly onClose: () => void;
}

function SwitchDialog({ client: { id, name }, isActive, onClose }: SwitchDialogProps) {
  const apply = async () => {
    await rollcall.call('updateClient', { path: { id }, body: { isActive } });
    notify(isActive ? copy.wasEnabled(name) : copy.wasDisabled(name));
    await reload();
  };
  return (
    <ConfirmDialog
      title={isActive ? copy.enableTitle(name) : copy.disableTitle(name)}
      confirm={isActive ? copy.enable : copy.disable}
      isDangerous={!isActive}
      failed={copy.failed}
      action={apply}
      onClose={onClose}
    >
      {isActive ? copy.enableText : copy.disableText}
    </ConfirmDialog>
  );
}

async function create(body: ClientSettings): Promise<ClientAction> {
  const reply = await rollcall.call('createClient', { body });
  void reload();
  const { id: clientId, secret } = reply.body.data;
  return { kind: 'secret', given: { clientId, secret } };
}

async function edit({ id }: Client, body: ClientSettings): Promise<void> {
  await rollcall.call('updateClient', { path: { id }, body });
  notify(copy.saved);
  await reload();
}

async function rotate({ id }: Client, overlapSeconds: number) {
  const reply = await rollcall.call('rotateClientSecret', { path: { id }, body: { overlapSeconds } });
  void reload();
  return { clientId: id, secret: reply.body.data.secret };
}
