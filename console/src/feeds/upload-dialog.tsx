import { Button, Checkbox, FileInput, Group, Progress, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../components/dialog.js';
import type { Feed } from '../components/feeds.js';
import { Notice } from '../components/notice.js';
import { ActionProblem } from '../components/problem.js';
import { commonCopy } from '../copy/copy.js';
import { formatPercent } from '../copy/format.js';
import { feedsCopy } from '../copy/on-demand-copy.js';
import { refreshFeeds } from './queries.js';
import { uploadFile } from './upload-file.js';

const copy = feedsCopy.upload;

/** Uploads a file and shows the run that reads it. */
export function UploadDialog({ feed: { key, openRun }, onClose }: { feed: Feed; onClose: () => void }) {
  const [, go] = useLocation();
  const [file, setFile] = useState<File | null>(null);
  const [isDryRun, setIsDryRun] = useState(false);
  const [sent, setSent] = useState(0);
  const upload = useMutation({
    mutationFn: (chosen: File) => uploadFile(key, chosen, { isDryRun, onProgress: setSent }),
    onSuccess: ({ id }) => {
      void refreshFeeds();
      onClose();
      go(`/feeds/${key}/runs/${id}`);
    },
  });
  return (
    <Dialog onClose={onClose} title={copy.title} size="lg" closeOnClickOutside={false}>
      <Stack>
        <FileInput
          label={copy.file}
          description={copy.fileHint}
          placeholder={copy.choose}
          accept=".csv,.txt,.xlsx,.json,.ndjson"
          value={file}
          onChange={setFile}
          error={file?.size === 0 && copy.empty}
          disabled={upload.isPending}
        />
        <Checkbox
          label={copy.only}
          description={copy.onlyHint}
          checked={isDryRun}
          onChange={(event) => setIsDryRun(event.currentTarget.checked)}
          disabled={upload.isPending}
        />
        {openRun?.state === 'waiting' && !isDryRun && (
          <Notice color="yellow">
            <Text size="sm">{copy.replaces}</Text>
          </Notice>
        )}
        {upload.isPending && (
          <Stack gap={4} role="status">
            <Progress value={100 * sent} transitionDuration={0} aria-label={copy.progress} />
            <Text size="xs" c="dimmed">
              {copy.sent(formatPercent(sent))}
            </Text>
          </Stack>
        )}
        <ActionProblem title={copy.failed} error={upload.error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {commonCopy.cancel}
          </Button>
          <Button
            disabled={file === null || file.size === 0}
            loading={upload.isPending}
            onClick={() => {
              setSent(0);
              if (file) upload.mutate(file);
            }}
          >
            {copy.confirm}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
