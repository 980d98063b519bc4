import { Button, Menu } from '@mantine/core';
import { useMemo } from 'react';
import { downloadBlob } from '../../components/download.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import { useImportState } from '../state/store.js';
import { invalidRows } from '../state/verdicts.js';
import { csvFile, csvFormatOf, invalidTable, workbookFile } from './invalid-rows.js';

const copy = importCopy.invalid;
const formats = importCopy.columns;

/** Downloads the invalid rows, as CSV like the original or as a workbook. */
export function DownloadInvalid() {
  const { rows, format, mapping, attributes, source, check } = useImportState();
  const isChecked = check?.state === 'checked';
  const count = useMemo(() => (rows && isChecked ? invalidRows(rows).length : 0), [rows, isChecked]);
  if (!rows || !format || count === 0) return null;
  const csv = csvFormatOf(format);
  const name = copy.fileName(source?.name ?? '');
  const table = () => invalidTable(rows, format, mapping, attributes);
  const save = async (extension: string, file: Promise<Blob>) =>
    downloadBlob(`${name}.${extension}`, await file);
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <Button variant="default" title={copy.hint}>
          {copy.download(count)}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void save('xlsx', workbookFile(table()))}>{copy.asWorkbook}</Menu.Item>
        <Menu.Item onClick={() => void save('csv', csvFile(table(), csv))}>
          {copy.asCsv(formats.separators[csv.separator], formats.encodings[csv.encoding])}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
