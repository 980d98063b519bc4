import { Button, Checkbox, Group, List, Radio, Stack, Text } from '@mantine/core';
import { checkMapping } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { Notice } from '../../components/notice.js';
import { ActionProblem } from '../../components/problem.js';
import { nextTask } from '../../components/yield-to-browser.js';
import { importCopy } from '../../copy/copy.js';
import { lookUpNames } from '../check/learn-names.js';
import { isCheckCurrent, startCheck } from '../check/run-check.js';
import { StepHeading } from '../components/step-heading.js';
import type { StepProps } from '../components/step-props.js';
import { ReadingFailure } from '../file/reading-failure.js';
import { ReadingProgress } from '../file/reading-progress.js';
import { dependencies } from '../state/dependencies.js';
import { undecidedNames } from '../state/names.js';
import type { EmptyCells } from '../state/row-reader.js';
import { useImportState, useImportStore } from '../state/store.js';
import { columnProblems, columnWarnings } from './column-messages.js';
import { ColumnsList } from './columns-list.js';
import { ReadOptionsForm } from './read-options.js';

const copy = importCopy.columns;

export function ColumnsStep({ goTo }: StepProps) {
  const store = useImportStore();
  const state = useImportState();
  const { format, mapping, reading } = state;
  const looking = useMutation({ mutationFn: () => lookUpNames(store, dependencies) });
  if (!format) return null;
  const { headings } = format;
  const problems = columnProblems(mapping, headings, checkMapping(mapping, headings, 'sync'));
  const warnings = columnWarnings(mapping, format);
  const goToNext = async () => {
    if (!isCheckCurrent(state)) {
      await looking.mutateAsync();
      if (undecidedNames(store.getState().names).length > 0) return goTo('names');
      void startCheck(store, dependencies);
      await nextTask(); // to show all rows is enough for one task
    }
    goTo('check');
  };
  return (
    <Stack maw={960}>
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">{copy.hint}</Text>
      </div>
      <ReadingFailure reading={reading} />
      {reading.state === 'reading' && <ReadingProgress reading={reading} />}
      {/* Reading the file again would forget what has been done with its rows. */}
      {reading.state !== 'reading' && state.calls.length === 0 && <ReadOptionsForm />}
      {warnings.length > 0 && (
        <Notice color="yellow">
          <Messages messages={warnings} />
        </Notice>
      )}
      <ColumnsList />
      <RowOptions />
      {problems.length > 0 && (
        <Notice color="red" title={copy.needed} role="status">
          <Messages messages={problems} />
        </Notice>
      )}
      <ActionProblem title={importCopy.names.failed} error={looking.error} />
      <Group>
        <Button variant="default" onClick={() => goTo('file')}>
          {importCopy.back}
        </Button>
        <Button
          disabled={problems.length > 0 || reading.state === 'reading'}
          loading={looking.isPending}
          onClick={() => void goToNext().catch(() => {})}
        >
          {importCopy.next}
        </Button>
      </Group>
    </Stack>
  );
}

function RowOptions() {
  const store = useImportStore();
  const { emptyCells, missing } = useImportState();
  return (
    <>
      <Radio.Group
        label={copy.emptyLabel}
        description={copy.emptyHint}
        value={emptyCells}
        onChange={(value) => store.dispatch({ type: 'emptyCellsChanged', emptyCells: value as EmptyCells })}
      >
        <Group mt="xs">
          <Radio value="leaves" label={copy.emptyLeaves} />
          <Radio value="clears" label={copy.emptyClears} />
        </Group>
      </Radio.Group>
      <Checkbox
        label={copy.missingLabel}
        description={copy.missingHint}
        checked={missing.isOn}
        onChange={(event) =>
          store.dispatch({ type: 'missingChanged', missing: { isOn: event.currentTarget.checked } })
        }
      />
    </>
  );
}

function Messages({ messages }: { messages: readonly string[] }) {
  if (messages.length === 1) return <Text size="sm">{messages[0]}</Text>;
  return (
    <List size="sm">
      {messages.map((message) => (
        <List.Item key={message}>{message}</List.Item>
      ))}
    </List>
  );
}
