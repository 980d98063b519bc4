import { Group, NativeSelect, TextInput } from '@mantine/core';
import type { Encoding, Separator } from '@rollcall/sheets';
import { useState } from 'react';
import { texts } from '../../copy/index.js';
import { takeFile } from '../file/load-file.js';
import type { ReadOptions } from '../state/source.js';
import type { Wizard } from '../state/wizard.js';

const words = texts.bulk.columns;
const separators = Object.entries(words.separators).map(([value, label]) => ({ value, label }));
const encodings = Object.entries(words.encodings).map(([value, label]) => ({ value, label }));

/** How the file was read, which can be put right; it is read anew then. */
export function HowRead({ wizard }: { wizard: Wizard }) {
  const { source, format } = wizard;
  const [options, setOptions] = useState<ReadOptions>({});
  if (!source || !format) return null;
  const read = (change: ReadOptions) => {
    const next = { ...options, ...change };
    setOptions(next);
    takeFile(wizard, source, next, () => {});
  };
  const { separator, encoding, sheets, sheet, headingRow } = format;
  return (
    <Group align="flex-end" gap="sm" role="group" aria-label={words.howRead}>
      {separator !== undefined && (
        <NativeSelect
          label={words.separator}
          data={separators}
          value={separator}
          onChange={({ currentTarget }) => read({ separator: currentTarget.value as Separator })}
        />
      )}
      {encoding !== undefined && typeof source.content !== 'string' && (
        <NativeSelect
          label={words.encoding}
          data={encodings}
          value={encoding}
          onChange={({ currentTarget }) => read({ encoding: currentTarget.value as Encoding })}
        />
      )}
      {sheets.length > 1 && (
        <NativeSelect
          label={words.sheet}
          data={[...sheets]}
          value={sheet ?? ''}
          onChange={({ currentTarget }) => read({ sheet: currentTarget.value })}
        />
      )}
      {format.format !== 'json' && (
        <TextInput
          key={headingRow}
          label={words.headingRow}
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
