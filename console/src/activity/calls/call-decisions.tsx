import { Button, Group, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { notify } from '../../components/notify.js';
import { plannedCopy as copy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { queryClient, rollcall } from '../../session/api.js';
import { usePermission } from '../../session/session.js';
import { type Call, isWaiting } from './call-waiting.js';
import { useIsAuthor } from './use-is-author.js';
import { usePlanSummary } from './use-plan-summary.js';

type Decision = 'approve' | 'reject' | 'takeOver' | 'cancel';

const operations = {
  approve: 'approveCall',
  reject: 'cancelCall',
  takeOver: 'takeOverCall',
  cancel: 'cancelCall',
} as const;

/** What can be done with a planned call before it runs. */
export function CallDecisions({ call }: { call: Call }) {
  const [open, setOpen] = useState<Decision>();
  const mayWrite = usePermission('users:write');
  const isAuthor = useIsAuthor(call);
  const summary = usePlanSummary(call, isWaiting(call));
  if (!mayWrite || !isWaiting(call)) return null;
  const decidesForOther = call.state === 'awaitingApproval' && !isAuthor;
  const offered: Record<Decision, boolean> = {
    approve: decidesForOther,
    reject: decidesForOther,
    takeOver: !isAuthor,
    cancel: !decidesForOther,
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
          isDangerous={open === 'cancel' || open === 'reject'}
          {...(open === 'cancel' && { keep: copy.cancel.keep })}
          failed={copy[open].failed}
          action={() => decide(call.id, open)}
          onClose={() => setOpen(undefined)}
        >
          {open === 'approve' &&
            (summary.length > 0 ? summary : [copy.approve.upTo(call.items)]).map((sentence) => (
              <Text key={sentence} fw={600}>
                {sentence}
              </Text>
            ))}
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

function explanation({ plan }: Call, decision: Decision): ReactNode {
  if (decision === 'cancel' || decision === 'reject') return copy[decision].hint;
  if (decision === 'takeOver')
    return `${copy.takeOver.hint}${plan?.needsApproval ? ` ${copy.takeOver.approval}` : ''}`;
  const effectiveAt = plan?.effectiveAt ?? null;
  return effectiveAt === null ? copy.approve.now : copy.approve.later(formatDateTime(effectiveAt));
}
