import {
  CloseButton,
  Group,
  NativeSelect,
  NumberInput,
  Paper,
  SimpleGrid,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { type RecipeField, type RecipeProblem, recipeLimits } from '@rollcall/sheets';
import { selectOptions } from '../../components/choices.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { type ColumnDraft, hasConversions } from './mapping-draft.js';
import { type Choice, mappingProblemText, useFieldChoices } from './mapping-texts.js';
import { below, Disclosure } from './section.js';
import { ValueTable } from './value-table.js';

const copy = feedFormCopy.mapping;

interface MappingRowProps {
  readonly column: ColumnDraft;
  readonly number: number;
  /** What the field is called; empty if none is chosen. */
  readonly name: string;
  readonly choices: Choice[];
  /** Of the sample file. */
  readonly headings: readonly string[];
  readonly problems: readonly RecipeProblem[];
  readonly onChange: (part: Partial<ColumnDraft>) => void;
  readonly onRemove: () => void;
}

/** A field, and where its values come from. */
export function MappingRow(props: MappingRowProps) {
  const { column, number, name, choices, problems, onChange, onRemove } = props;
  const { nameOf } = useFieldChoices();
  const { field, isConstant } = column;
  const title = name || copy.row(number);
  return (
    <Paper withBorder p="sm" component="li" aria-label={title}>
      <Stack gap="sm">
        <Group wrap="nowrap" align="flex-start">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" flex={1}>
            <NativeSelect
              label={copy.field}
              data={choices}
              value={field}
              onChange={(event) => onChange({ field: event.currentTarget.value as RecipeField | '' })}
              error={problems.length > 0}
            />
            <NativeSelect
              label={copy.from}
              data={selectOptions(copy.fromChoices)}
              value={isConstant ? 'constant' : 'columns'}
              onChange={(event) => onChange({ isConstant: event.currentTarget.value === 'constant' })}
            />
          </SimpleGrid>
          <CloseButton aria-label={copy.remove(title)} onClick={onRemove} />
        </Group>
        {isConstant ? (
          <TextInput
            label={copy.constant}
            value={column.constant}
            onChange={(event) => onChange({ constant: event.currentTarget.value })}
            maxLength={recipeLimits.textCharactersMax}
            autoComplete="off"
          />
        ) : (
          <Columns {...props} />
        )}
        {problems.map((problem) => (
          <Text key={problem.code} size="sm" c="var(--mantine-color-error)">
            {mappingProblemText(problem, nameOf)}
          </Text>
        ))}
      </Stack>
    </Paper>
  );
}

function Columns({ column, headings, onChange }: MappingRowProps) {
  const { columns, separator } = column;
  return (
    <>
      <TagsInput
        label={copy.columns}
        description={columns.length === 0 && copy.columnsHint}
        inputWrapperOrder={below}
        data={[...headings]}
        value={[...columns]}
        onChange={(next) => onChange({ columns: next })}
        // Commas are part of many headings.
        splitChars={['\n']}
        maxTags={recipeLimits.joinedMax}
        maxLength={recipeLimits.textCharactersMax}
        acceptValueOnBlur
        isDuplicate={(one, others) => others.includes(one)}
        comboboxProps={{ shadow: 'md' }}
      />
      {columns.length > 1 && (
        <TextInput
          label={copy.separator}
          description={copy.separatorHint}
          inputWrapperOrder={below}
          value={separator}
          onChange={(event) => onChange({ separator: event.currentTarget.value })}
          maxLength={recipeLimits.affixCharactersMax}
          maw={260}
          autoComplete="off"
        />
      )}
      <Disclosure title={copy.convert} isOpen={hasConversions(column)}>
        <Conversions column={column} onChange={onChange} />
      </Disclosure>
    </>
  );
}

function Conversions({ column, onChange }: Pick<MappingRowProps, 'column' | 'onChange'>) {
  const { values, otherwise, padTo, prefix, dateFormat } = column;
  return (
    <>
      <ValueTable values={values} onChange={(next) => onChange({ values: next })} />
      {values.length > 0 && (
        <NativeSelect
          label={copy.otherwise}
          data={selectOptions(copy.otherwiseChoices)}
          value={otherwise}
          onChange={(event) => onChange({ otherwise: event.currentTarget.value as ColumnDraft['otherwise'] })}
          maw={260}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm">
        <NumberInput
          label={copy.padTo}
          description={copy.padToHint}
          inputWrapperOrder={below}
          value={padTo}
          onChange={(next) => onChange({ padTo: next })}
          min={1}
          max={recipeLimits.padToMax}
          allowDecimal={false}
          allowNegative={false}
        />
        <TextInput
          label={copy.prefix}
          description={copy.prefixHint}
          inputWrapperOrder={below}
          value={prefix}
          onChange={(event) => onChange({ prefix: event.currentTarget.value })}
          maxLength={recipeLimits.affixCharactersMax}
          autoComplete="off"
        />
        <TextInput
          label={copy.dateFormat}
          description={copy.dateFormatHint}
          inputWrapperOrder={below}
          value={dateFormat}
          onChange={(event) => onChange({ dateFormat: event.currentTarget.value })}
          maxLength={recipeLimits.affixCharactersMax}
          autoComplete="off"
        />
      </SimpleGrid>
    </>
  );
}
