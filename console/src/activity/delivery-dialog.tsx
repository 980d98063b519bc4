import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../components/dialog.js';
import { notify } from '../components/notify.js';
import { activityCopy } from '../copy/copy.js';
import { queryClient, rollcall } from '../session/api.js';
import { countReleasable } from './delivery.js';

type Held = 'all' | { readonly requestId: string } | { readonly ids: readonly string[] };

export type DeliveryAction =
  | { readonly kind: 'resend'; readonly id: string; readonly to: string | undefined }
  | { readonly kind: 'release'; readonly which: Held };

const copy = activityCopy.deliveries;

export function DeliveryDialog({ action, onClose }: { action: DeliveryAction; onClose: () => void }) {
  const { title, text, confirm } = questionOf(action);
  const held = useHeldCount(action);
  const act = async () => {
    const message = action.kind === 'resend' ? await resend(action.id) : await release(action.which);
    notify(message);
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: ['activity', 'deliveries'] }),
      queryClient.invalidateQueries({ queryKey: ['user'] }), // their histories
    ]);
  };
  return (
    <ConfirmDialog title={title} confirm={confirm} failed={copy.failed} action={act} onClose={onClose}>
      {held !== undefined && <Text fw={600}>{copy.releaseCount(held)}</Text>}
      {text}
    </ConfirmDialog>
  );
}

function useHeldCount(action: DeliveryAction): number | undefined {
  const which = action.kind === 'release' && !isSingle(action.which) ? action.which : undefined;
  const requestId = typeof which === 'object' ? which.requestId : undefined;
  const { data } = useQuery({
    queryKey: ['activity', 'deliveries', 'held-count', requestId],
    queryFn: async ({ signal }) => (await countHeld(requestId, signal)) ?? null,
    enabled: which !== undefined,
    staleTime: 0,
  });
  return data ?? undefined;
}

function isSingle(which: Held): which is { readonly ids: readonly string[] } {
  return typeof which === 'object' && 'ids' in which;
}

function questionOf(action: DeliveryAction) {
  if (action.kind === 'resend') {
    const confirm = action.to === undefined ? copy.resend : copy.resendTo(action.to);
    return { title: copy.resendTitle, text: copy.resendText, confirm };
  }
  const confirm = copy.release;
  if (action.which === 'all') return { title: copy.releaseAllTitle, text: copy.releaseAllText, confirm };
  return isSingle(action.which)
    ? { title: copy.releaseTitle, text: copy.releaseText, confirm }
    : { title: copy.releaseCallTitle, text: copy.releaseCallText, confirm };
}

async function resend(id: string): Promise<string> {
  await rollcall.call('resendDelivery', { path: { id } });
  return copy.resent;
}

async function release(which: Held): Promise<string> {
  const body = which === 'all' ? { all: true as const } : which;
  const reply = await rollcall.call('releaseDeliveries', { body });
  const { released } = reply.body.data;
  return copy.released(released);
}

const pageLimit = 200;
/** More is not worth the wait. */
const pagesMax = 50;

/** How many messages a release sends; undefined if there are too many to count. */
async function countHeld(requestId: string | undefined, signal: AbortSignal): Promise<number | undefined> {
  const query = { state: 'held' as const, requestId, limit: pageLimit };
  return countReleasable(rollcall.pages('listDeliveries', { query, signal }), pagesMax);
}
