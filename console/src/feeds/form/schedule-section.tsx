import {
  Checkbox,
  Chip,
  Group,
  Input,
  NativeSelect,
  Select,
  SimpleGrid,
  Text,
  TextInput,
} from '@mantine/core';
import { selectOptions } from '../../components/choices.js';
import { useServiceTimeZone } from '../../components/service-settings.js';
import { formatInTimeZone, formatWeekday } from '../../copy/format.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { BlackoutDates } from './blackout-dates.js';
import { nextRun } from './next-run.js';
import {
  allWeekdays,
  looksForFiles,
  type ScheduleDraft,
  type ScheduleKind,
  type ScheduleProblem,
  scheduleProblems,
  workdays,
} from './schedule-draft.js';
import { below, FormSection, type PartProps } from './section.js';

const copy = feedFormCopy.schedule;

export function ScheduleSection(props: PartProps) {
  const { draft, refused } = props;
  if (draft.source.type === 'upload') {
    return (
      <FormSection title={copy.title}>
        <Text size="sm">{copy.upload}</Text>
      </FormSection>
    );
  }
  return (
    <FormSection title={copy.title} refused={refused === 'schedule' ? copy.refused : undefined}>
      <Inputs {...props} />
      <Preview schedule={draft.schedule} />
    </FormSection>
  );
}

function Inputs({ draft, onChange, problemOf }: PartProps) {
  const { schedule } = draft;
  const { kind } = schedule;
  const set = (part: Partial<ScheduleDraft>) => onChange({ schedule: { ...schedule, ...part } });
  const problem = (name: ScheduleProblem, text: string) => problemOf(`schedule.${name}`, text);
  const parts = { schedule, set, problem };
  return (
    <>
      <NativeSelect
        label={copy.kind}
        data={selectOptions(copy.kinds)}
        value={kind}
        onChange={(event) => set({ kind: event.currentTarget.value as ScheduleKind })}
      />
      {kind === 'times' && <Times {...parts} />}
      {kind === 'cron' && (
        <TextInput
          label={copy.cron}
          description={copy.cronHint}
          inputWrapperOrder={below}
          placeholder="30 4 1 * *"
          value={schedule.cron}
          onChange={(event) => set({ cron: event.currentTarget.value })}
          error={problem('cron', copy.cronInvalid)}
          spellCheck={false}
          autoComplete="off"
          withAsterisk
          aria-required
        />
      )}
      {kind !== 'manual' && (
        <>
          {kind !== 'newFile' && (
            <Checkbox
              label={copy.alsoNewFile}
              checked={schedule.onNewFile}
              onChange={(event) => set({ onNewFile: event.currentTarget.checked })}
            />
          )}
          <Window {...parts} />
          <TimeZone {...parts} />
          <BlackoutDates
            dates={schedule.blackoutDates}
            onChange={(blackoutDates) => set({ blackoutDates })}
          />
        </>
      )}
    </>
  );
}

interface ScheduleProps {
  readonly schedule: ScheduleDraft;
  readonly set: (part: Partial<ScheduleDraft>) => void;
  readonly problem: (name: ScheduleProblem, text: string) => string | undefined;
}

type DayChoice = keyof typeof copy.dayChoices;

/** Weekdays that are chosen one by one stay so, even if they are all of them. */
function Times({ schedule, set, problem }: ScheduleProps) {
  const { weekdays, time } = schedule;
  const choice = dayChoiceOf(weekdays);
  const daysOf: Readonly<Record<DayChoice, readonly number[]>> = {
    every: allWeekdays,
    workdays,
    chosen: weekdays.slice(0, 1),
  };
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <NativeSelect
          label={copy.days}
          data={selectOptions(copy.dayChoices)}
          value={choice}
          onChange={(event) => set({ weekdays: daysOf[event.currentTarget.value as DayChoice] })}
        />
        <TextInput
          type="time"
          label={copy.time}
          value={time}
          onChange={(event) => set({ time: event.currentTarget.value })}
          error={problem('time', copy.timeRequired)}
          withAsterisk
          aria-required
        />
      </SimpleGrid>
      {choice === 'chosen' && (
        <Input.Wrapper
          label={copy.weekdays}
          labelElement="div"
          error={problem('weekdays', copy.weekdaysRequired)}
          role="group"
          aria-label={copy.weekdays}
        >
          <Chip.Group
            multiple
            value={weekdays.map(String)}
            onChange={(chosen) => set({ weekdays: chosen.map(Number).sort((one, other) => one - other) })}
          >
            <Group gap="xs" mt={4}>
              {allWeekdays.map((day) => (
                <Chip key={day} value={String(day)} size="sm">
                  {formatWeekday(day)}
                </Chip>
              ))}
            </Group>
          </Chip.Group>
        </Input.Wrapper>
      )}
    </>
  );
}

function dayChoiceOf(weekdays: readonly number[]): DayChoice {
  if (weekdays.length === allWeekdays.length) return 'every';
  return weekdays.join() === workdays.join() ? 'workdays' : 'chosen';
}

/** When to look for new files, or how long to wait for one. */
function Window({ schedule, set, problem }: ScheduleProps) {
  const until = (label: string, description?: string, error?: string) => (
    <TextInput
      type="time"
      label={label}
      description={description}
      inputWrapperOrder={below}
      value={schedule.until}
      onChange={(event) => set({ until: event.currentTarget.value })}
      error={error}
    />
  );
  if (!looksForFiles(schedule)) return until(copy.waitUntil, copy.waitHint);
  const error = problem('window', copy.windowIncomplete) ?? problem('emptyWindow', copy.windowEmpty);
  return (
    <div>
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="time"
          label={copy.from}
          value={schedule.from}
          onChange={(event) => set({ from: event.currentTarget.value })}
        />
        {until(copy.lookUntil, undefined, error)}
      </SimpleGrid>
      <Text size="xs" c="dimmed" mt={4}>
        {copy.windowHint}
      </Text>
    </div>
  );
}

const timeZones = Intl.supportedValuesOf('timeZone');
const timeZonesShown = 50;

function TimeZone({ schedule, set }: ScheduleProps) {
  const service = useServiceTimeZone() ?? 'UTC';
  const known = timeZones.includes(schedule.timeZone) || schedule.timeZone === '' ? [] : [schedule.timeZone];
  return (
    <Select
      label={copy.timeZone}
      data={[
        { value: '', label: copy.serviceTimeZone(service) },
        ...[...known, ...timeZones].map((name) => ({ value: name, label: name })),
      ]}
      value={schedule.timeZone}
      onChange={(timeZone) => set({ timeZone: timeZone ?? '' })}
      searchable
      limit={timeZonesShown}
      allowDeselect={false}
      nothingFoundMessage={copy.noTimeZone}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

/** What the schedule means, in sentences. */
function Preview({ schedule }: { schedule: ScheduleDraft }) {
  const service = useServiceTimeZone();
  const isComplete = scheduleProblems(schedule).length === 0;
  return (
    <Text size="sm" fw={600} role="status">
      {isComplete && service !== undefined && sentencesOf(schedule, service).join(' ')}
    </Text>
  );
}

function sentencesOf(schedule: ScheduleDraft, service: string): string[] {
  const { kind, from, until } = schedule;
  const timeZone = schedule.timeZone || service;
  const looks = looksForFiles(schedule);
  const sentences: string[] = [];
  if (kind === 'manual') return [copy.manual];
  if (kind === 'times') {
    const at = nextRun(schedule, new Date(), service);
    sentences.push(at ? copy.next(formatInTimeZone(at.toISOString(), timeZone), timeZone) : copy.never);
  }
  if (kind === 'cron') sentences.push(copy.afterSaving);
  if (looks) sentences.push(copy.looks(timeZone, from, until));
  else if (until !== '') sentences.push(copy.waits(until));
  return sentences;
}
