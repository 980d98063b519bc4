import { Box, Loader } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { Problem } from '../../components/problem.js';
import { commonCopy, settingsCopy } from '../../copy/copy.js';
import type { WebhookTest } from './use-webhook-test.js';

const copy = settingsCopy.test;

/** What the receiver responded to the test event. */
export function TestResult({ name, test }: { name: string; test: WebhookTest }) {
  if (test.isIdle) return null;
  return (
    <Box mt="md">
      {test.isPending && <Loader size="sm" aria-label={commonCopy.loading} />}
      {test.isError && <Problem title={copy.failed} error={test.error} />}
      {test.data?.delivered && test.data.statusCode !== null && (
        <Notice color="green" role="status">
          {copy.delivered(name, test.data.statusCode, test.data.durationMs)}
        </Notice>
      )}
      {test.data?.delivered === false && (
        <Notice color="red" role="alert" title={copy.notDelivered(name)}>
          {test.data.statusCode === null ? copy.noResponse : copy.responded(test.data.statusCode)}
        </Notice>
      )}
    </Box>
  );
}
