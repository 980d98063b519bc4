import { ConfirmDialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { RotateSecretDialog } from '../../components/rotate-secret-dialog.js';
import { SecretDialog } from '../../components/secret-dialog.js';
import { activityCopy } from '../../copy/copy.js';
import { ReplayDialog } from './replay-dialog.js';
import { nameOf, type Webhook, type WebhookAction } from './webhook.js';
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from './webhook-calls.js';
import { WebhookForm } from './webhook-form.js';

interface WebhookDialogProps {
  readonly action: WebhookAction;
  readonly onAction: (action: WebhookAction) => void;
  readonly onClose: () => void;
}

const copy = activityCopy.webhooks;

export function WebhookDialog({ action, onAction, onClose }: WebhookDialogProps) {
  const showSecret = (secret: string) => onAction({ kind: 'secret', given: { secret } });
  switch (action.kind) {
    case 'create':
      return (
        <WebhookForm
          onSave={async (settings) => showSecret(await createWebhook(settings))}
          onClose={onClose}
        />
      );
    case 'secret':
      return <SecretDialog {...action.given} onClose={onClose} />;
    case 'edit':
      return (
        <WebhookForm
          webhook={action.webhook}
          onSave={async (settings) => {
            await changeWebhook(action.webhook, settings);
            notify(copy.saved);
          }}
          onClose={onClose}
        />
      );
    case 'rotate':
      return (
        <RotateSecretDialog
          name={nameOf(action.webhook)}
          rotate={async (overlapSeconds) => ({ secret: await rotateSecret(action.webhook, overlapSeconds) })}
          onRotated={({ secret }) => showSecret(secret)}
          onClose={onClose}
        />
      );
    case 'replay':
      return (
        <ReplayDialog webhook={action.webhook} onReplayed={() => notify(copy.replayed)} onClose={onClose} />
      );
    default:
      return <Ask verb={action.kind} webhook={action.webhook} onClose={onClose} />;
  }
}

const questions = {
  enable: { title: copy.enableTitle, done: copy.wasEnabled, text: () => copy.enableText },
  disable: { title: copy.disableTitle, done: copy.wasDisabled, text: () => copy.disableText },
  remove: { title: copy.removeTitle, done: copy.wasRemoved, text: copy.removeText },
} as const;

interface AskProps {
  readonly verb: keyof typeof questions;
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

function Ask({ verb, webhook, onClose }: AskProps) {
  const { title, text, done } = questions[verb];
  const apply = async () => {
    if (verb === 'remove') await deleteWebhook(webhook);
    else await changeWebhook(webhook, { isActive: verb === 'enable' });
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
      {text(nameOf(webhook))}
    </ConfirmDialog>
  );
}
