import { Paper, Radio, SimpleGrid, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { languageQuery, useServiceTimeZone } from '../../components/service-settings.js';
import { formatDayStart } from '../../copy/format.js';
import { languages } from '../../copy/language.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { useCurrentUser } from '../../session/session.js';
import { labelCharactersMax } from '../state/source.js';
import { useImportState, useImportStore } from '../state/store.js';
import type { Timing } from '../state/timing.js';

const copy = importCopy.check;

/** When the import runs, when passwords are sent, and what the import is for. */
export function RunOptions({ passwords }: { passwords: number }) {
  const store = useImportStore();
  const { note } = useImportState();
  return (
    <Paper withBorder p="md" component="section" aria-label={copy.options}>
      <SimpleGrid cols={{ base: 1, sm: passwords > 0 ? 3 : 2 }} spacing="lg">
        <WhenToRun />
        {passwords > 0 && <PasswordDelivery count={passwords} />}
        <TextInput
          label={copy.note}
          description={copy.noteHint}
          value={note}
          maxLength={labelCharactersMax}
          onChange={(event) => store.dispatch({ type: 'noteChanged', note: event.currentTarget.value })}
        />
      </SimpleGrid>
    </Paper>
  );
}

function WhenToRun() {
  const store = useImportStore();
  const { timing, check, itemsPerCall } = useImportState();
  const { kind, day } = timing;
  const timeZone = useServiceTimeZone();
  const fits = (check?.chunks.length ?? 0) <= 1;
  const change = (next: Partial<Timing>) =>
    store.dispatch({ type: 'timingChanged', timing: { ...timing, ...next } });
  return (
    <Stack gap="xs">
      <Radio.Group
        label={copy.when}
        value={kind}
        onChange={(value) => change({ kind: value as Timing['kind'] })}
      >
        <Stack mt="xs" gap="xs">
          <Radio value="now" label={copy.now} />
          <Radio value="date" label={copy.onDate} disabled={!fits} />
          <Radio value="approval" label={copy.approval} disabled={!fits} />
        </Stack>
      </Radio.Group>
      {!fits && <Text size="sm">{copy.planTooLarge(itemsPerCall)}</Text>}
      {fits && kind !== 'now' && (
        <>
          <TextInput
            type="date"
            label={kind === 'date' ? copy.day : copy.notBefore}
            description={day === '' ? copy.dayHint : formatDayStart(day, timeZone)}
            value={day}
            min={tomorrow()}
            onChange={(event) => change({ day: event.currentTarget.value })}
            maw={220}
          />
          <Text size="sm" c="dimmed">
            {kind === 'approval' ? `${copy.approvalHint} ${copy.planHint}` : copy.planHint}
          </Text>
        </>
      )}
    </Stack>
  );
}

function tomorrow(): string {
  return new Date(Date.now() + 24 * 60 * 60_000).toISOString().slice(0, 10);
}

function PasswordDelivery({ count }: { count: number }) {
  const store = useImportStore();
  const { deliver } = useImportState();
  const { data } = useQuery(languageQuery(useCurrentUser().serial));
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
        {data && (
          <Text size="xs" c="dimmed">
            {importReviewCopy.language(languages[data.defaultLanguage])}
          </Text>
        )}
      </Stack>
    </Radio.Group>
  );
}
