import { Button, Menu, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { FormDialog } from '../components/dialog.js';
import type { Feed } from '../components/feeds.js';
import { notify } from '../components/notify.js';
import { ActionProblem } from '../components/problem.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { refreshFeeds } from './queries.js';
import { StartRun, startRun } from './start-run.js';
import { UploadDialog } from './upload-dialog.js';

const copy = feedsCopy.actions;

/** What can be done with a feed. */
export function FeedActions({ feed }: { feed: Feed }) {
  const { key, name, source, isPaused } = feed;
  const [, go] = useLocation();
  const [open, setOpen] = useState<'upload' | 'remove'>();
  const mayRun = usePermission('users:write');
  const mayManage = usePermission('access:admin');
  const action = useMutation({ mutationFn: (act: () => Promise<void>) => act() });
  const preview = async () => go(await startRun(key, { isDryRun: true }));
  const pause = async () => {
    await rollcall.call('updateFeed', { path: { key }, body: { isPaused: !isPaused } });
    notify(isPaused ? copy.resumed(name) : copy.paused(name));
    await refreshFeeds();
  };
  const isFetched = source.type !== 'upload';
  return (
    <>
      <StartRun feed={feed} />
      {(mayManage || (mayRun && isFetched)) && (
        <Menu position="bottom-end" shadow="md">
          <Menu.Target>
            <Button variant="default">{copy.more}</Button>
          </Menu.Target>
          <Menu.Dropdown>
            {mayRun && isFetched && (
              <>
                <Menu.Item onClick={() => action.mutate(preview)}>{copy.dryRun}</Menu.Item>
                <Menu.Item onClick={() => setOpen('upload')}>{copy.upload}</Menu.Item>
              </>
            )}
            {mayManage && (
              <>
                <Menu.Item onClick={() => action.mutate(pause)}>
                  {isPaused ? copy.resume : copy.pause}
                </Menu.Item>
                <Menu.Item component={Link} href={`/feeds/${key}/edit`}>
                  {copy.edit}
                </Menu.Item>
                <Menu.Item onClick={() => setOpen('remove')}>{copy.remove}</Menu.Item>
              </>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <ActionProblem title={copy.failed} error={action.error} />
      {open === 'upload' && <UploadDialog feed={feed} onClose={() => setOpen(undefined)} />}
      {open === 'remove' && <RemoveFeed feed={feed} onClose={() => setOpen(undefined)} />}
    </>
  );
}

const removeCopy = feedsCopy.remove;

function RemoveFeed({ feed: { key, name, users }, onClose }: { feed: Feed; onClose: () => void }) {
  const [, go] = useLocation();
  const [typed, setTyped] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const remove = async () => {
    await rollcall.call('deleteFeed', { path: { key } });
    notify(removeCopy.done(name));
    go('/feeds');
    await refreshFeeds();
  };
  return (
    <FormDialog
      title={removeCopy.title(name)}
      save={removeCopy.confirm}
      isDangerous
      failed={removeCopy.failed}
      isComplete={typed.trim() === key}
      onIncomplete={() => setIsWrong(true)}
      action={remove}
      onClose={onClose}
    >
      <div>{removeCopy.text(users)}</div>
      <TextInput
        label={removeCopy.type(key)}
        autoComplete="off"
        error={isWrong && typed.trim() !== key ? removeCopy.mismatch : undefined}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
