import {
  Button,
  FileButton,
  Group,
  NativeSelect,
  NumberInput,
  Radio,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import type { RecipeProblem } from '@rollcall/sheets';
import { useMutation } from '@tanstack/react-query';
import { useAttributes } from '../../components/attributes.js';
import { selectOptions } from '../../components/choices.js';
import { Notice } from '../../components/notice.js';
import { feedFormCopy, importCopy } from '../../copy/on-demand-copy.js';
import {
  type MappingDraft,
  mappingProblems,
  type ReadingDraft,
  withChange,
  withColumn,
  withGuesses,
  withoutColumn,
} from './mapping-draft.js';
import { MappingRow } from './mapping-row.js';
import { mappingProblemText, useFieldChoices } from './mapping-texts.js';
import { readSample, type SampleFile } from './sample-file.js';
import { below, Disclosure, FormSection, type PartProps } from './section.js';

const copy = feedFormCopy.mapping;
const acceptedTypes = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,text/csv,text/plain';

export function MappingSection({ draft, onChange, problemOf, refused }: PartProps) {
  const { mapping } = draft;
  const attributes = useAttributes();
  const fields = new Set<string>(mapping.columns.map(({ field }) => field));
  const { choices, nameOf } = useFieldChoices(fields);
  const set = (next: MappingDraft) => onChange({ mapping: next });
  const reading = useMutation({
    mutationFn: (file: File) => readSample(file, mapping.reading),
    onSuccess: ({ headings }) => set(withGuesses(mapping, headings, attributes)),
  });
  const isShown = problemOf('mapping', copy.refused) !== undefined;
  const problems = isShown ? mappingProblems(mapping, attributes) : [];
  const isOfMapping = (problem: RecipeProblem) => {
    const field = fieldIn(problem);
    return field === undefined || !fields.has(field);
  };
  const headings = namesOf(reading.data);
  return (
    <FormSection
      title={copy.title}
      hint={copy.hint}
      refused={refused === 'mapping' ? copy.refused : undefined}
    >
      <Sample reading={reading} mapping={mapping} />
      <Stack component="ul" gap="sm" p={0} m={0} aria-label={copy.list} style={{ listStyle: 'none' }}>
        {mapping.columns.map((column, at) => (
          <MappingRow
            key={column.id}
            column={column}
            number={at + 1}
            name={nameOf(column.field)}
            choices={choices}
            headings={headings}
            problems={problems.filter((problem) => fieldIn(problem) === column.field)}
            onChange={(part) => set(withChange(mapping, column.id, part))}
            onRemove={() => set(withoutColumn(mapping, column.id))}
          />
        ))}
      </Stack>
      {problems.filter(isOfMapping).map((problem) => (
        <Notice key={JSON.stringify(problem)} color="red" role="alert">
          {mappingProblemText(problem, nameOf)}
        </Notice>
      ))}
      <div>
        <Button variant="default" onClick={() => set(withColumn(mapping))}>
          {copy.add}
        </Button>
      </div>
      <Radio.Group
        label={copy.empty}
        value={mapping.empty}
        onChange={(empty) => set({ ...mapping, empty: empty as MappingDraft['empty'] })}
      >
        <Group mt="xs">
          {selectOptions(copy.emptyChoices).map(({ value, label }) => (
            <Radio key={value} value={value} label={label} />
          ))}
        </Group>
      </Radio.Group>
      <Reading reading={mapping.reading} onChange={(next) => set({ ...mapping, reading: next })} />
    </FormSection>
  );
}

/** Undefined for a problem of the whole mapping. */
function fieldIn(problem: RecipeProblem): string | undefined {
  return 'field' in problem ? problem.field : undefined;
}

function namesOf(sample: SampleFile | undefined): readonly string[] {
  const named = sample?.headings.filter(({ isEmpty }) => !isEmpty) ?? [];
  return [...new Set(named.map(({ name }) => name))];
}

type SampleReading = ReturnType<typeof useMutation<SampleFile, Error, File>>;

/** Reads the headings of a file, and says which columns it lacks. */
function Sample({ reading, mapping }: { reading: SampleReading; mapping: MappingDraft }) {
  const { data, variables, isError } = reading;
  const known = new Set(namesOf(data).map((name) => name.toLowerCase()));
  const used = mapping.columns.flatMap(({ isConstant, columns }) => (isConstant ? [] : columns));
  const missing = data ? [...new Set(used.filter((name) => !known.has(name.trim().toLowerCase())))] : [];
  return (
    <div>
      <Group gap="sm">
        <FileButton
          onChange={(file) => file && reading.mutate(file)}
          accept={acceptedTypes}
          inputProps={{ 'aria-label': copy.sample }}
        >
          {(props) => (
            <Button {...props} variant="default" loading={reading.isPending}>
              {copy.sample}
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed" role="status">
          {data ? copy.sampleRead(data.name, data.headings.length) : copy.sampleHint}
        </Text>
      </Group>
      {isError && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mt="xs">
          {copy.sampleFailed(variables?.name ?? '')}
        </Text>
      )}
      {missing.length > 0 && (
        <Text size="sm" mt="xs" role="status">
          {copy.notInSample(missing)}
        </Text>
      )}
    </div>
  );
}

interface ReadingProps {
  readonly reading: ReadingDraft;
  readonly onChange: (reading: ReadingDraft) => void;
}

const importColumnsCopy = importCopy.columns;

/** What detection is not to decide. */
function Reading({ reading, onChange }: ReadingProps) {
  const set = (part: Partial<ReadingDraft>) => onChange({ ...reading, ...part });
  const detect = { value: '', label: copy.detected };
  const select = <Name extends 'format' | 'encoding' | 'separator'>(
    name: Name,
    label: string,
    choices: Readonly<Record<Exclude<ReadingDraft[Name], ''>, string>>,
  ) => (
    <NativeSelect
      label={label}
      data={[detect, ...selectOptions(choices)]}
      value={reading[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <Disclosure title={copy.reading}>
      <Text size="sm" c="dimmed">
        {copy.readingHint}
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        {select('format', copy.format, copy.formats)}
        {select('encoding', copy.encoding, importColumnsCopy.encodings)}
        {select('separator', copy.separatorOfFile, importColumnsCopy.separators)}
        <TextInput
          label={copy.sheet}
          description={copy.sheetHint}
          inputWrapperOrder={below}
          value={reading.sheet}
          onChange={(event) => set({ sheet: event.currentTarget.value })}
          autoComplete="off"
        />
        <NumberInput
          label={copy.headingRow}
          value={reading.headingRow}
          onChange={(headingRow) => set({ headingRow })}
          min={1}
          allowDecimal={false}
          allowNegative={false}
        />
      </SimpleGrid>
    </Disclosure>
  );
}
