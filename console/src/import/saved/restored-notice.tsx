import { Box, Button, Group, Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { formatDateTime } from '../../copy/format.js';
import { importReviewCopy } from '../../copy/on-demand-copy.js';
import { useImportState, useImportStore } from '../state/store.js';

const copy = importReviewCopy.restored;

/** Says why the file is there although nobody has chosen one. */
export function RestoredNotice({ onDiscarded }: { onDiscarded: () => void }) {
  const store = useImportStore();
  const { restored, source, check } = useImportState();
  if (!restored || !source) return null;
  const discard = () => {
    check?.abort.abort();
    store.dispatch({ type: 'discarded' });
    onDiscarded();
  };
  return (
    <Box mb="md">
      <Notice color="blue" role="status">
        <Text size="sm">
          {copy.text(source.name, formatDateTime(new Date(restored.keptAt).toISOString()), restored.edits)}{' '}
          {copy.where}
        </Text>
        <Group mt="xs">
          <Button size="xs" variant="default" onClick={discard}>
            {copy.discard}
          </Button>
        </Group>
      </Notice>
    </Box>
  );
}
