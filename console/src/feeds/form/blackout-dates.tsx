import { Button, Fieldset, Group, Input, Pill, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { formatDay } from '../../copy/format.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';

const copy = feedFormCopy.schedule;

interface BlackoutDatesProps {
  /** Such as 2026-12-25, in order. */
  readonly dates: readonly string[];
  readonly onChange: (dates: readonly string[]) => void;
}

/** Days on which a feed doesn't run. */
export function BlackoutDates({ dates, onChange }: BlackoutDatesProps) {
  const [day, setDay] = useState('');
  const add = () => {
    if (day !== '') onChange([...new Set([...dates, day])].sort());
    setDay('');
  };
  return (
    <Fieldset
      legend={<Input.Label component="span">{copy.blackout}</Input.Label>}
      variant="unstyled"
      p={0}
      m={0}
    >
      <Text size="xs" c="dimmed" mb={4}>
        {copy.blackoutHint}
      </Text>
      <Group gap="xs">
        <TextInput
          type="date"
          aria-label={copy.blackoutDay}
          value={day}
          onChange={(event) => setDay(event.currentTarget.value)}
        />
        <Button variant="default" onClick={add} disabled={day === ''}>
          {copy.blackoutAdd}
        </Button>
      </Group>
      {dates.length > 0 && (
        <Pill.Group mt="xs">
          {dates.map((each) => (
            <Pill
              key={each}
              withRemoveButton
              onRemove={() => onChange(dates.filter((other) => other !== each))}
              removeButtonProps={{
                'aria-label': copy.blackoutRemove(formatDay(each)),
                'aria-hidden': false,
                tabIndex: 0,
              }}
            >
              {formatDay(each)}
            </Pill>
          ))}
        </Pill.Group>
      )}
    </Fieldset>
  );
}
