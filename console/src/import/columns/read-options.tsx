import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { Encoding, Separator } from '@rollcall/sheets';
import { useState } from 'react';
import { importCopy } from '../../copy/copy.js';
import { loadFile } from '../file/load-file.js';
import type { ReadOptions } from '../state/source.js';
import { useImportState, useImportStore } from '../state/store.js';

const copy = importCopy.columns;
const separators = Object.entries(copy.separators).map(([value, label]) => ({ value, label }));
const encodings = Object.entries(copy.encodings).map(([value, label]) => ({ value, label }));

/** Shows how the file was read. A change reads it again. */
export function ReadOptionsForm() {
  const store = useImportStore();
  const { source, format } = useImportState();
  const [options, setOptions] = useState<ReadOptions>({});
  if (!source || !format) return null;
  const read = (change: ReadOptions) => {
    const next = { ...options, ...change };
    setOptions(next);
    loadFile(store, source, next, () => {});
  };
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
