import { Box, Button, Group, NativeSelect, Text } from '@mantine/core';
import { type FieldName, fieldsOf, type Mapping } from '@rollcall/sheets';
import { bulkCopy } from '../../copy/bulk.js';
import { commonCopy } from '../../copy/common.js';
import styles from '../components/bulk.module.css';
import { fieldOf, shownText, withField, withNameTurned } from '../state/mapping.js';
import type { Wizard } from '../state/wizard.js';

const copy = bulkCopy.columns;
const examplesShown = 3;

interface ColumnsListProps {
  readonly wizard: Wizard;
  readonly onMapping: (mapping: Mapping) => void;
}

/** Each column of the file, what its first cells hold, and the field that it goes into. */
export function ColumnsList({ wizard, onMapping }: ColumnsListProps) {
  const { format, rows, mapping, kind } = wizard;
  const choices = [
    { value: '', label: copy.leftOut },
    ...fieldsOf(kind).map((field) => ({ value: field, label: commonCopy.fields[field] })),
  ];
  const headings = format?.headings ?? [];
  const nameColumns = mapping.name ?? [];
  return (
    <Box>
      <ul className={styles.columns} aria-label={copy.list}>
        {headings.map(({ column, name }) => (
          <li key={column} className={styles.column}>
            <Text fw={600} truncate title={name}>
              {name}
            </Text>
            <Text size="sm" c="dimmed" truncate>
              {examplesOf(rows?.cells ?? [], column, mapping)}
            </Text>
            <NativeSelect
              aria-label={copy.goesInto(name)}
              data={choices}
              value={fieldOf(mapping, column) ?? ''}
              onChange={({ currentTarget: { value } }) =>
                onMapping(withField(mapping, column, value === '' ? undefined : (value as FieldName)))
              }
            />
          </li>
        ))}
      </ul>
      {nameColumns.length > 1 && (
        <Group mt="xs">
          <Text size="sm">
            {copy.nameJoined(nameColumns.map((column) => headings[column]?.name ?? '').join(' + '))}
          </Text>
          <Button size="xs" variant="default" onClick={() => onMapping(withNameTurned(mapping))}>
            {copy.turnName}
          </Button>
        </Group>
      )}
    </Box>
  );
}

function examplesOf(cells: readonly (readonly string[])[], column: number, mapping: Mapping): string {
  const examples = cells
    .slice(0, examplesShown)
    .map((row) => shownText(mapping, column, (row[column] ?? '').trim()) || copy.noExample);
  return examples.join(' · ');
}
