import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { notice } from '../../components/notify.js';
import { number } from '../../copy/format.js';
import { texts } from '../../copy/index.js';
import { queryClient, rollcall } from '../../session/api.js';

type Held = 'all' | { readonly requestId: string } | { readonly ids: readonly string[] };

export type DeliveryAction =
  | { readonly kind: 'resend'; readonly id: string }
  | { readonly kind: 'release'; readonly which: Held };

const words = texts.activity.deliveries;

export function DeliveryDialog({ action, onClose }: { action: DeliveryAction; onClose: () => void }) {
  const { title, text, confirm } = questionOf(action);
  const act = async () => {
    const message = action.kind === 'resend' ? await resend(action.id) : await release(action.which);
    notice(message);
    await queryClient.invalidateQueries({ queryKey: ['activity', 'deliveries'] });
  };
  return (
    <ConfirmDialog title={title} confirm={confirm} failed={words.failed} action={act} onClose={onClose}>
      {text}
    </ConfirmDialog>
  );
}

function questionOf(action: DeliveryAction) {
  if (action.kind === 'resend') {
    return { title: words.resendTitle, text: words.resendText, confirm: words.resend };
  }
  const confirm = words.release;
  if (action.which === 'all') return { title: words.releaseAllTitle, text: words.releaseAllText, confirm };
  return 'ids' in action.which
    ? { title: words.releaseTitle, text: words.releaseText, confirm }
    : { title: words.releaseCallTitle, text: words.releaseCallText, confirm };
}

async function resend(id: string): Promise<string> {
  await rollcall.call('resendDelivery', { path: { id } });
  return words.resent;
}

async function release(which: Held): Promise<string> {
  const body = which === 'all' ? { all: true } : which;
  const reply = await rollcall.call('releaseDeliveries', { body });
  const { released } = reply.body.data;
  return words.released(released, number(released));
}
