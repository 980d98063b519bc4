import { Button, Checkbox, Group, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, type ReactNode, useState } from 'react';
import { dayAfter } from '../components/day-range.js';
import { useServiceTimeZone } from '../components/service-settings.js';
import { commonCopy, matchingCopy, userCopy, usersListCopy } from '../copy/copy.js';
import { formatDayStart } from '../copy/format.js';
import { dayFrom, type MatchingPlan } from './matching-call.js';

interface PreviewFormProps {
  readonly onPreview: () => void;
  readonly isChecking?: boolean;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Says what to change. Nothing changes before it has been previewed. */
export function PreviewForm({ onPreview, isChecking = false, onCancel, children }: PreviewFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onPreview();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {children}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel}>
            {commonCopy.cancel}
          </Button>
          <Button type="submit" loading={isChecking}>
            {matchingCopy.preview}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

const planCopy = usersListCopy.plan;
/** What the change is comes before it. */
const noteMaxLength = 120;

interface PlanFieldsProps {
  readonly plan: MatchingPlan | undefined;
  readonly onChange: (plan: MatchingPlan | undefined) => void;
  /** Asks for the last working day, as on the page of a user: they are deactivated after it. */
  readonly isDeactivation?: boolean;
}

/** Now or on a date, and with approval or without. */
export function PlanFields({ plan, onChange, isDeactivation = false }: PlanFieldsProps) {
  const [isLater, setIsLater] = useState(plan !== undefined && plan.day !== '');
  const timeZone = useServiceTimeZone();
  const { day = '', lastDay, needsApproval = false, note = '' } = plan ?? {};
  const later = isDeactivation ? userCopy.deactivate : planCopy;
  const entered = { day, ...(lastDay !== undefined && { lastDay }) };
  const dayOf = (value: string) =>
    isDeactivation && value !== '' ? { day: dayAfter(value), lastDay: value } : { day: value };
  const change = (next: MatchingPlan) => onChange(next.day === '' && !next.needsApproval ? undefined : next);
  return (
    <Stack gap="xs">
      <Radio.Group
        label={planCopy.when}
        value={isLater ? 'later' : 'now'}
        onChange={(value) => {
          setIsLater(value === 'later');
          if (value === 'now') change({ day: '', needsApproval, note });
        }}
      >
        <Group gap="lg" mt={6}>
          <Radio value="now" label={planCopy.now} />
          <Radio value="later" label={later.later} />
        </Group>
      </Radio.Group>
      {isLater && (
        <TextInput
          type="date"
          label={later.day}
          description={
            day === '' ? !isDeactivation && planCopy.dayHint : later.at(formatDayStart(day, timeZone))
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          required
          min={dayFrom(new Date(), isDeactivation ? 0 : 1)}
          value={lastDay ?? day}
          onChange={(event) => change({ ...dayOf(event.currentTarget.value), needsApproval, note })}
          maw={220}
        />
      )}
      <Checkbox
        label={planCopy.approval}
        {...(needsApproval && { description: planCopy.approvalHint })}
        checked={needsApproval}
        onChange={(event) => change({ ...entered, needsApproval: event.currentTarget.checked, note })}
      />
      {plan && (
        <TextInput
          label={planCopy.note}
          description={planCopy.noteHint}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={noteMaxLength}
          value={note}
          onChange={(event) => change({ ...entered, needsApproval, note: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
