import {
  Box,
  Button,
  Checkbox,
  Group,
  List,
  NativeSelect,
  Radio,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import {
  attributeField,
  checkMapping,
  type Encoding,
  fieldsOf,
  type Heading,
  type MappedField,
  type Mapping,
  type Separator,
} from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { draftFor } from '../../components/attribute-draft.js';
import { AttributeForm } from '../../components/attribute-form.js';
import { type Attribute, attributeLabel } from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { Notice } from '../../components/notice.js';
import { ActionProblem } from '../../components/problem.js';
import { nextTask } from '../../components/yield-to-browser.js';
import { commonCopy } from '../../copy/copy.js';
import { feedFormCopy, importCopy } from '../../copy/on-demand-copy.js';
import { usePermission } from '../../session/session.js';
import { lookUpNames } from '../check/learn-names.js';
import { isCheckCurrent, startCheck } from '../check/run-check.js';
import styles from '../components/import.module.css';
import { SaveAsFeed } from '../components/save-as-feed.js';
import { StepHeading, type StepProps } from '../components/step-heading.js';
import { loadFile } from '../file/load-file.js';
import { ReadingFailure, ReadingProgress } from '../file/reading.js';
import { dependencies } from '../state/dependencies.js';
import { displayText, fieldOf, withField, withNameReversed } from '../state/mapping.js';
import type { EmptyCells } from '../state/row-reader.js';
import type { ReadOptions } from '../state/source.js';
import { useImportState, useImportStore } from '../state/store.js';
import { columnProblems, columnWarnings } from './column-messages.js';

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
      const { undecided, proposals } = store.getState().names;
      if (undecided.length > 0 || proposals.size > 0) return goTo('names');
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
        <SaveAsFeed label={feedFormCopy.fromImport.save} isReady={problems.length === 0} />
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

const examplesShown = 3;

/** Each column with its first cells and the field or attribute it maps to. */
function ColumnsList() {
  const store = useImportStore();
  const { format, rows, mapping, attributes } = useImportState();
  const mayDefine = usePermission('access:admin');
  const [defined, setDefined] = useState<Heading>();
  const setMapping = (next: Mapping) => store.dispatch({ type: 'mappingChanged', mapping: next });
  const choices = choicesWith(attributes);
  const headings = format?.headings ?? [];
  const nameColumns = mapping.name ?? [];
  const canBeAttribute = ({ column, isEmpty }: Heading) => !isEmpty && fieldOf(mapping, column) === undefined;
  return (
    <Box>
      <div className={styles.columnHead} aria-hidden>
        <span>{copy.inFile}</span>
        <span>{copy.examples}</span>
        <span>{copy.field}</span>
      </div>
      <ul className={styles.columns} aria-label={copy.list}>
        {headings.map((heading) => (
          <ColumnItem
            key={heading.column}
            heading={heading}
            examples={examplesOf(rows?.cells ?? [], heading.column, mapping)}
            choices={choices}
            field={fieldOf(mapping, heading.column)}
            onChange={(field) => setMapping(withField(mapping, heading.column, field))}
            onDefine={mayDefine && canBeAttribute(heading) ? () => setDefined(heading) : undefined}
          />
        ))}
      </ul>
      {!mayDefine && headings.some(canBeAttribute) && (
        <Text size="sm" c="dimmed" mt="xs">
          {copy.attributesHint}
        </Text>
      )}
      {defined && <NewAttribute heading={defined} onClose={() => setDefined(undefined)} />}
      {nameColumns.length > 1 && (
        <Group mt="xs">
          <Text size="sm">
            {copy.nameOrder(nameColumns.map((column) => headings[column]?.name ?? '').join(' + '))}
          </Text>
          <Button size="xs" variant="default" onClick={() => setMapping(withNameReversed(mapping))}>
            {copy.swapName}
          </Button>
        </Group>
      )}
    </Box>
  );
}

/** A column of managers is about their employee IDs. */
const labels = { ...commonCopy.fields, managerEmployeeID: copy.managerEmployeeID };

function choicesWith(attributes: readonly Attribute[]) {
  const labeled = attributes.map((attribute) => ({
    value: attributeField(attribute.key),
    label: attributeLabel(attribute),
  }));
  return [
    { value: '', label: copy.skipped },
    ...fieldsOf('sync').map((field) => ({ value: field, label: labels[field] })),
    ...(labeled.length > 0 ? [{ group: commonCopy.fields.attributes, items: labeled }] : []),
  ];
}

interface ColumnItemProps {
  readonly heading: Heading;
  readonly examples: string;
  readonly choices: ReturnType<typeof choicesWith>;
  readonly field: MappedField | undefined;
  readonly onChange: (field: MappedField | undefined) => void;
  /** Undefined unless the column can become an attribute. */
  readonly onDefine: (() => void) | undefined;
}

function ColumnItem({ heading, examples, choices, field, onChange, onDefine }: ColumnItemProps) {
  const { name, letter, isEmpty } = heading;
  const select = useRef<HTMLSelectElement>(null);
  return (
    <li className={styles.column} data-skipped={field === undefined || undefined}>
      <Group gap="xs" wrap="nowrap" miw={0}>
        <span className={styles.letter}>{letter}</span>
        <Text fw={600} truncate title={name}>
          {isEmpty ? '' : name}
        </Text>
      </Group>
      <Text size="sm" c="dimmed" truncate>
        {examples}
      </Text>
      <div>
        <NativeSelect
          ref={select}
          aria-label={copy.fieldFor(name)}
          data={choices}
          value={field ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange((value || undefined) as MappedField | undefined)
          }
        />
        {onDefine && (
          <Button
            variant="subtle"
            size="compact-sm"
            mt={4}
            aria-label={copy.addAttributeFor(name)}
            onClick={() => {
              // The dialog returns the focus to where it was, and this button is about to disappear.
              select.current?.focus();
              onDefine();
            }}
          >
            {copy.addAttribute}
          </Button>
        )}
      </div>
    </li>
  );
}

/** Defines an attribute for a column, and maps the column to it. */
function NewAttribute({ heading: { column, name }, onClose }: { heading: Heading; onClose: () => void }) {
  const store = useImportStore();
  const { rows } = useImportState();
  const takenKeys = useAttributes().map(({ key }) => key);
  const cells = (rows?.cells ?? []).map((row) => row[column] ?? '');
  return (
    <AttributeForm
      proposal={draftFor(name, cells, takenKeys)}
      onCreated={(attribute) => store.dispatch({ type: 'attributeDefined', attribute, column })}
      onClose={onClose}
    />
  );
}

function examplesOf(cells: readonly (readonly string[])[], column: number, mapping: Mapping): string {
  const examples = cells
    .slice(0, examplesShown)
    .map((row) => displayText(mapping, column, (row[column] ?? '').trim()) || copy.noExample);
  return examples.join(' · ');
}

const separators = Object.entries(copy.separators).map(([value, label]) => ({ value, label }));
const encodings = Object.entries(copy.encodings).map(([value, label]) => ({ value, label }));

/** Shows how the file was read. A change reads it again. */
function ReadOptionsForm() {
  const store = useImportStore();
  const { source, format, readOptions } = useImportState();
  if (!source || !format) return null;
  const read = (change: ReadOptions) =>
    loadFile(store, source, { ...readOptions, ...change }, dependencies, () => {});
  const { separator, encoding, sheets, sheet, headingRow } = format;
  return (
    <Group align="flex-end" gap="sm" role="group" aria-label={copy.readOptions}>
      {separator !== undefined && (
        <NativeSelect
          label={copy.separator}
          data={separators}
          value={separator}
          onChange={({ currentTarget }) => read({ separator: currentTarget.value as Separator })}
        />
      )}
      {encoding !== undefined && typeof source.content !== 'string' && (
        <NativeSelect
          label={copy.encoding}
          data={encodings}
          value={encoding}
          onChange={({ currentTarget }) => read({ encoding: currentTarget.value as Encoding })}
        />
      )}
      {sheets.length > 1 && (
        <NativeSelect
          label={copy.sheet}
          data={[...sheets]}
          value={sheet ?? ''}
          onChange={({ currentTarget }) => read({ sheet: currentTarget.value })}
        />
      )}
      {format.format !== 'json' && (
        <TextInput
          key={headingRow}
          label={copy.headingRow}
          type="number"
          min={1}
          w={180}
          defaultValue={headingRow}
          onBlur={({ currentTarget }) => {
            const row = Number(currentTarget.value);
            if (row >= 1 && row !== headingRow) read({ headingRow: row });
          }}
        />
      )}
    </Group>
  );
}
