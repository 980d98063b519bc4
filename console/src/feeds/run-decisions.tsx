import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../components/dialog.js';
import type { Feed, Run } from '../components/feeds.js';
import { notify } from '../components/notify.js';
import { plannedCopy } from '../copy/copy.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { useCurrentUser, usePermission } from '../session/session.js';
import { refreshFeeds } from './queries.js';

const copy = feedsCopy.waiting.decisions;

type Decision = 'approve' | 'reject';

/** If every run needs approval, whoever started one can't approve it. */
export function isOwnRun({ rules }: Feed, { startedBy }: Run, serial: string): boolean {
  return rules.approval === 'always' && startedBy?.kind === 'person' && startedBy.id === serial;
}

/** Approves or rejects a run that waits. */
export function RunDecisions({ feed, run }: { feed: Feed | undefined; run: Run }) {
  const [open, setOpen] = useState<Decision>();
  const { serial } = useCurrentUser();
  const mayDecide = usePermission('users:write');
  if (!mayDecide || run.state !== 'waiting') return null;
  const isOwn = feed !== undefined && isOwnRun(feed, run, serial);
  return (
    <>
      {!isOwn && <Button onClick={() => setOpen('approve')}>{copy.approve.open}</Button>}
      <Button variant="default" onClick={() => setOpen('reject')}>
        {copy.reject.open}
      </Button>
      {open && (
        <ConfirmDialog
          title={copy[open].title}
          confirm={copy[open].confirm}
          isDangerous={open === 'reject'}
          failed={copy[open].failed}
          action={() => decide(run, open)}
          onClose={() => setOpen(undefined)}
        >
          {open === 'approve' &&
            whatItDoes(run).map((sentence) => (
              <Text key={sentence} fw={600} size="sm">
                {sentence}
              </Text>
            ))}
          {copy[open].text}
        </ConfirmDialog>
      )}
    </>
  );
}

async function decide({ feed: key, id: run }: Run, decision: Decision): Promise<void> {
  const operation = decision === 'approve' ? 'approveFeedRun' : 'cancelFeedRun';
  await rollcall.call(operation, { path: { key, run } });
  notify(copy[decision].done);
  await refreshFeeds();
}

const effects = {
  created: 'created',
  rehired: 'rehired',
  updated: 'updated',
  renamed: 'renumbered',
  deactivated: 'deactivated',
  reactivated: 'reactivated',
  failed: 'failed',
} as const;

/** What the run would do, with numbers. */
function whatItDoes({ counts }: Run): string[] {
  return (Object.keys(effects) as (keyof typeof effects)[]).flatMap((kind) =>
    counts[kind] > 0 ? plannedCopy.does[effects[kind]](counts[kind]) : [],
  );
}

const stopCopy = feedsCopy.stop;

/** Stops a run that is under way. */
export function StopRun({ run }: { run: Run }) {
  const [isOpen, setIsOpen] = useState(false);
  const mayStop = usePermission('users:write');
  if (!mayStop || (run.state !== 'running' && run.state !== 'queued')) return null;
  const stop = async () => {
    await rollcall.call('cancelFeedRun', { path: { key: run.feed, run: run.id } });
    notify(stopCopy.done);
    await refreshFeeds();
  };
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {stopCopy.open}
      </Button>
      {isOpen && (
        <ConfirmDialog
          title={stopCopy.title}
          confirm={stopCopy.confirm}
          keep={stopCopy.keep}
          isDangerous
          failed={stopCopy.failed}
          action={stop}
          onClose={() => setIsOpen(false)}
        >
          {stopCopy.text}
        </ConfirmDialog>
      )}
    </>
  );
}
