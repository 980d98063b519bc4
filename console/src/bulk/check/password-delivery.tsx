import { Radio, Stack } from '@mantine/core';
import { bulkCopy } from '../../copy/copy.js';
import { useBulkState, useBulkStore } from '../state/store.js';

const copy = bulkCopy.check;

export function PasswordDelivery({ count }: { count: number }) {
  const store = useBulkStore();
  const { deliver } = useBulkState();
  return (
    <Radio.Group
      label={copy.deliver}
      description={copy.deliverHint(count)}
      value={deliver}
      onChange={(value) =>
        store.dispatch({ type: 'deliverChanged', deliver: value === 'hold' ? 'hold' : 'now' })
      }
    >
      <Stack mt="xs" gap="xs">
        <Radio value="now" label={copy.deliverNow} />
        <Radio value="hold" label={copy.deliverHold} />
      </Stack>
    </Radio.Group>
  );
}
