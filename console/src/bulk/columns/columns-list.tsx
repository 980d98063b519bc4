import { Box, Button, Group, NativeSelect, Text } from '@mantine/core';
import { type FieldName, fieldsOf, type Mapping } from '@rollcall/sheets';
import { bulkCopy, commonCopy } from '../../copy/copy.js';
import styles from '../components/bulk.module.css';
import { displayText, fieldOf, withField, withNameReversed } from '../state/mapping.js';
import { useBulkState, useBulkStore } from '../state/store.js';

const copy = bulkCopy.columns;
const examplesShown = 3;

/** Each column with its first cells and the field it maps to. */
export function ColumnsList() {
  const store = useBulkStore();
  const { format, rows, mapping, kind } = useBulkState();
  const setMapping = (next: Mapping) => store.dispatch({ type: 'mappingChanged', mapping: next });
  const choices = [
    { value: '', label: copy.skipped },
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
              aria-label={copy.fieldFor(name)}
              data={choices}
              value={fieldOf(mapping, column) ?? ''}
              onChange={({ currentTarget: { value } }) =>
                setMapping(withField(mapping, column, value === '' ? undefined : (value as FieldName)))
              }
            />
          </li>
        ))}
      </ul>
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

function examplesOf(cells: readonly (readonly string[])[], column: number, mapping: Mapping): string {
  const examples = cells
    .slice(0, examplesShown)
    .map((row) => displayText(mapping, column, (row[column] ?? '').trim()) || copy.noExample);
  return examples.join(' · ');
}
