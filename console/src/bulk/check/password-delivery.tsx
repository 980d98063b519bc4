import { Radio, Stack } from '@mantine/core';
import { bulkCopy } from '../../copy/bulk.js';
import type { Wizard } from '../state/wizard.js';

const copy = bulkCopy.check;

/** Says before the run that messages go out, and lets them be held back. */
export function Deliver({ wizard, count }: { wizard: Wizard; count: number }) {
  const choose = (value: string) => {
    wizard.deliver = value === 'hold' ? 'hold' : 'now';
    wizard.news.tell();
  };
  return (
    <Radio.Group
      label={copy.deliver}
      description={copy.deliverHint(count)}
      value={wizard.deliver}
      onChange={choose}
    >
      <Stack mt="xs" gap="xs">
        <Radio value="now" label={copy.deliverNow} />
        <Radio value="hold" label={copy.deliverHold} />
      </Stack>
    </Radio.Group>
  );
}
