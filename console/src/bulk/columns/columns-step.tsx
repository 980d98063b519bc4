import { Button, Group, List, Radio, Stack, Text } from '@mantine/core';
import { checkMapping } from '@rollcall/sheets';
import { Notice } from '../../components/notice.js';
import { bulkCopy } from '../../copy/bulk.js';
import type { StepProps } from '../bulk-page.js';
import { newChecker, startCheck } from '../check/check.js';
import { StepHeading } from '../components/step-heading.js';
import { failureText } from '../file/failure-text.js';
import { ReadingProgress } from '../file/reading-progress.js';
import { tools } from '../state/dependencies.js';
import type { EmptyMeans } from '../state/row-reader.js';
import type { Wizard } from '../state/wizard.js';
import { columnWarnings, mappingProblemWords } from './column-messages.js';
import { ColumnsList } from './columns-list.js';
import { HowRead } from './read-options.js';

const copy = bulkCopy.columns;

export function ColumnsStep({ wizard, onGo }: StepProps) {
  const { format, kind, mapping, emptyMeans, reading } = wizard;
  if (!format) return null;
  const problems = checkMapping(mapping, format.headings, kind);
  const warnings = columnWarnings(wizard, format);
  const change = (changes: Partial<Pick<Wizard, 'mapping' | 'emptyMeans'>>) => {
    Object.assign(wizard, changes);
    wizard.news.tell();
  };
  return (
    <Stack maw={900}>
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">{copy.hint}</Text>
      </div>
      {reading.state === 'failed' && (
        <Notice color="red" title={bulkCopy.file.cannot(reading.name)} role="alert">
          {failureText(reading.failure)}
        </Notice>
      )}
      {reading.state === 'reading' && <ReadingProgress reading={reading} />}
      {/* Read anew, the file would know nothing of what was done with it. */}
      {reading.state !== 'reading' && wizard.calls.length === 0 && <HowRead wizard={wizard} />}
      {warnings.length > 0 && (
        <Notice color="yellow">
          <Sentences of={warnings} />
        </Notice>
      )}
      <ColumnsList wizard={wizard} onMapping={(next) => change({ mapping: next })} />
      <Radio.Group
        label={copy.emptyLabel}
        description={copy.emptyHint}
        value={emptyMeans}
        onChange={(value) => change({ emptyMeans: value as EmptyMeans })}
      >
        <Group mt="xs">
          <Radio value="leaves" label={copy.emptyLeaves} />
          <Radio value="clears" label={copy.emptyClears} />
        </Group>
      </Radio.Group>
      {problems.length > 0 && (
        <Notice color="red" title={copy.needed} role="status">
          <Sentences of={problems.map((problem) => mappingProblemWords(problem, format.headings, kind))} />
        </Notice>
      )}
      <Group>
        <Button variant="default" onClick={() => onGo('file')}>
          {bulkCopy.back}
        </Button>
        <Button
          disabled={problems.length > 0 || reading.state === 'reading'}
          onClick={() => goToCheck(wizard, onGo)}
        >
          {bulkCopy.next}
        </Button>
      </Group>
    </Stack>
  );
}

/** A check that was made by the same rules is still good. */
function goToCheck(wizard: Wizard, onGo: StepProps['onGo']): void {
  const { check, mapping, emptyMeans } = wizard;
  const isSame = check?.checker.rules.mapping === mapping && check.checker.rules.emptyMeans === emptyMeans;
  const checker = isSame ? undefined : newChecker(wizard);
  if (checker) void startCheck(wizard, checker, tools);
  onGo('check');
}

function Sentences({ of }: { of: readonly string[] }) {
  if (of.length === 1) return <Text size="sm">{of[0]}</Text>;
  return (
    <List size="sm">
      {of.map((sentence) => (
        <List.Item key={sentence}>{sentence}</List.Item>
      ))}
    </List>
  );
}
