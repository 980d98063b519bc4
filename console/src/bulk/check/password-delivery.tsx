import { Radio, Stack } from '@mantine/core';
import { texts } from '../../copy/index.js';
import type { Wizard } from '../state/wizard.js';

const words = texts.bulk.check;

/** Says before the run that messages go out, and lets them be held back. */
export function Deliver({ wizard, count }: { wizard: Wizard; count: number }) {
  const choose = (value: string) => {
    wizard.deliver = value === 'hold' ? 'hold' : 'now';
    wizard.news.tell();
  };
  return (
    <Radio.Group
      label={words.deliver}
      description={words.deliverHint(count)}
      value={wizard.deliver}
      onChange={choose}
    >
      <Stack mt="xs" gap="xs">
        <Radio value="now" label={words.deliverNow} />
        <Radio value="hold" label={words.deliverHold} />
      </Stack>
    </Radio.Group>
  );
}
