import { Button, Group } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { notify } from '../../components/notify.js';
import { plannedCopy as copy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { queryClient, rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import { type Call, isWaiting } from './call-waiting.js';
import { useIsAuthor } from './use-is-author.js';

type Decision = 'approve' | 'takeOver' | 'cancel';

const operations = { approve: 'approveCall', takeOver: 'takeOverCall', cancel: 'cancelCall' } as const;

/** What can be done with a planned call before it runs. */
export function CallDecisions({ call }: { call: Call }) {
  const [open, setOpen] = useState<Decision>();
  const mayWrite = usePermission('users:write');
  const isAuthor = useIsAuthor(call);
  if (!mayWrite || !isWaiting(call)) return null;
  const offered: Record<Decision, boolean> = {
    approve: call.state === 'awaitingApproval' && !isAuthor,
    takeOver: !isAuthor,
    cancel: true,
  };
  return (
    <Group gap="xs">
      {(Object.keys(offered) as Decision[])
        .filter((decision) => offered[decision])
        .map((decision) => (
          <Button
            key={decision}
            variant={decision === 'approve' ? 'filled' : 'default'}
            onClick={() => setOpen(decision)}
          >
            {copy[decision].open}
          </Button>
        ))}
      {open && (
        <ConfirmDialog
          title={copy[open].title}
          confirm={copy[open].confirm}
          isDangerous={open === 'cancel'}
          failed={copy[open].failed}
          action={() => decide(call.id, open)}
          onClose={() => setOpen(undefined)}
        >
          {explanation(call, open)}
        </ConfirmDialog>
      )}
    </Group>
  );
}

async function decide(id: string, decision: Decision): Promise<void> {
  await rollcall.call(operations[decision], { path: { id } });
  notify(copy[decision].done);
  await queryClient.invalidateQueries();
}

function explanation({ items, plan }: Call, decision: Decision): ReactNode {
  if (decision === 'cancel') return copy.cancel.hint;
  if (decision === 'takeOver')
    return `${copy.takeOver.hint}${plan?.needsApproval ? ` ${copy.takeOver.approval}` : ''}`;
  const effectiveAt = plan?.effectiveAt ?? null;
  return effectiveAt === null
    ? copy.approve.now(items)
    : copy.approve.later(items, formatDateTime(effectiveAt));
}
