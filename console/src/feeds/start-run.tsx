import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import type { Feed } from '../components/feeds.js';
import { notify } from '../components/notify.js';
import { ActionProblem } from '../components/problem.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { usePermission } from '../session/session.js';
import { refreshFeeds } from './queries.js';
import { UploadDialog } from './upload-dialog.js';

const copy = feedsCopy.actions;

/** Runs a feed now, or asks for a file if its files are uploaded. */
export function StartRun({ feed }: { feed: Feed }) {
  const { key, source, openRun } = feed;
  const [, go] = useLocation();
  const [isUploading, setIsUploading] = useState(false);
  const mayRun = usePermission('users:write');
  const starting = useMutation({ mutationFn: async () => go(await startRun(key, { isDryRun: false })) });
  if (!mayRun) return null;
  const isFetched = source.type !== 'upload';
  return (
    <>
      <Button
        onClick={() => (isFetched ? starting.mutate() : setIsUploading(true))}
        disabled={isFetched && openRun !== null}
        loading={starting.isPending}
      >
        {isFetched ? copy.run : copy.upload}
      </Button>
      <ActionProblem title={copy.failed} error={starting.error} />
      {isUploading && <UploadDialog feed={feed} onClose={() => setIsUploading(false)} />}
    </>
  );
}

/** Resolves to the path of its page. */
export async function startRun(key: string, { isDryRun }: { readonly isDryRun: boolean }): Promise<string> {
  const body = { dryRun: isDryRun };
  const { id } = (await rollcall.call('startFeedRun', { path: { key }, body })).body.data;
  notify(copy.started);
  await refreshFeeds();
  return `/feeds/${key}/runs/${id}`;
}
