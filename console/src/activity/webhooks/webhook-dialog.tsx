import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { notice } from '../../components/notify.js';
import { RotateDialog } from '../../components/rotate-secret-dialog.js';
import { SecretDialog } from '../../components/secret-dialog.js';
import { texts } from '../../copy/index.js';
import { ReplayDialog } from './replay-dialog.js';
import { nameOf, type Webhook, type WebhookAction } from './webhook.js';
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from './webhook-calls.js';
import { WebhookForm } from './webhook-form.js';

interface WebhookDialogProps {
  readonly action: WebhookAction;
  readonly onAction: (action: WebhookAction) => void;
  readonly onClose: () => void;
}

const words = texts.activity.webhooks;

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
            notice(words.saved);
          }}
          onClose={onClose}
        />
      );
    case 'rotate':
      return (
        <RotateDialog
          name={nameOf(action.webhook)}
          rotate={async (overlapSeconds) => ({ secret: await rotateSecret(action.webhook, overlapSeconds) })}
          onRotated={({ secret }) => showSecret(secret)}
          onClose={onClose}
        />
      );
    case 'replay':
      return (
        <ReplayDialog webhook={action.webhook} onReplayed={() => notice(words.replayed)} onClose={onClose} />
      );
    default:
      return <Ask verb={action.kind} webhook={action.webhook} onClose={onClose} />;
  }
}

const questions = {
  enable: { title: words.enableTitle, done: words.wasEnabled, text: () => words.enableText },
  disable: { title: words.disableTitle, done: words.wasDisabled, text: () => words.disableText },
  remove: { title: words.removeTitle, done: words.wasRemoved, text: words.removeText },
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
    notice(done);
  };
  return (
    <ConfirmDialog
      title={title}
      confirm={words[verb]}
      isDangerous={verb !== 'enable'}
      failed={words.failed}
      action={apply}
      onClose={onClose}
    >
      {text(nameOf(webhook))}
    </ConfirmDialog>
  );
}
