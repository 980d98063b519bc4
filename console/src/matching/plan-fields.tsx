import { Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useServiceTimeZone } from '../components/service-settings.js';
import { usersListCopy } from '../copy/copy.js';
import { formatDayStart } from '../copy/format.js';
import { type MatchingPlan, tomorrow } from './matching-plan.js';

const copy = usersListCopy.plan;
/** What the change is comes before it. */
const noteMaxLength = 120;

interface PlanFieldsProps {
  readonly plan: MatchingPlan | undefined;
  readonly onChange: (plan: MatchingPlan | undefined) => void;
}

/** Now or on a date, and with approval or without. */
export function PlanFields({ plan, onChange }: PlanFieldsProps) {
  const [isLater, setIsLater] = useState(plan !== undefined && plan.day !== '');
  const timeZone = useServiceTimeZone();
  const { day = '', needsApproval = false, note = '' } = plan ?? {};
  const change = (next: MatchingPlan) => onChange(next.day === '' && !next.needsApproval ? undefined : next);
  return (
    <Stack gap="xs">
      <Radio.Group
        label={copy.when}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => {
          setIsLater(value === 'later');
          if (value === 'now') change({ day: '', needsApproval, note });
        }}
      >
        <Group gap="lg" mt={6}>
          <Radio value="now" label={copy.now} />
          <Radio value="later" label={copy.later} />
        </Group>
      </Radio.Group>
      {isLater && (
        <TextInput
          type="date"
          label={copy.day}
          description={day === '' ? copy.dayHint : copy.at(formatDayStart(day, timeZone))}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          min={tomorrow(new Date())}
          value={day}
          onChange={(event) => change({ day: event.currentTarget.value, needsApproval, note })}
          maw={220}
        />
      )}
      <Checkbox
        label={copy.approval}
        {...(needsApproval && { description: copy.approvalHint })}
        checked={needsApproval}
        onChange={(event) => change({ day, needsApproval: event.currentTarget.checked, note })}
      />
      {plan && (
        <TextInput
          label={copy.note}
          description={copy.noteHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={noteMaxLength}
          value={note}
          onChange={(event) => change({ day, needsApproval, note: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
