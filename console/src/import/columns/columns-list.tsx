import { Box, Button, Group, NativeSelect, Text } from '@mantine/core';
import { type FieldName, fieldsOf, type Mapping } from '@rollcall/sheets';
import { commonCopy, importCopy } from '../../copy/copy.js';
import styles from '../components/import.module.css';
import { displayText, fieldOf, withField, withNameReversed } from '../state/mapping.js';
import { useImportState, useImportStore } from '../state/store.js';

const copy = importCopy.columns;
const examplesShown = 3;

/** Each column with its first cells and the field it maps to. */
export function ColumnsList() {
  const store = useImportStore();
  const { format, rows, mapping } = useImportState();
  const setMapping = (next: Mapping) => store.dispatch({ type: 'mappingChanged', mapping: next });
  const choices = [
    { value: '', label: copy.skipped },
    ...fieldsOf('sync').map((field) => ({ value: field, label: commonCopy.fields[field] })),
  ];
  const headings = format?.headings ?? [];
  const nameColumns = mapping.name ?? [];
  return (
    <Box>
      <div className={styles.columnHead} aria-hidden>
        <span>{copy.inFile}</span>
        <span>{copy.examples}</span>
        <span>{copy.field}</span>
      </div>
      <ul className={styles.columns} aria-label={copy.list}>
        {headings.map(({ column, name, letter, isEmpty }) => (
          <li
            key={column}
            className={styles.column}
            data-skipped={fieldOf(mapping, column) === undefined || undefined}
          >
            <Group gap="xs" wrap="nowrap" miw={0}>
              <span className={styles.letter}>{letter}</span>
              <Text fw={600} truncate title={name}>
                {isEmpty ? '' : name}
              </Text>
            </Group>
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
