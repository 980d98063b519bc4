import { Button, Checkbox, Group, Progress, Radio, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Dialog } from '../../components/dialog.js';
import { notify } from '../../components/notify.js';
import { ActionProblem } from '../../components/problem.js';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
import { sheetTime } from '../../copy/format.js';
import type { ExportColumn, ExportFormat } from './export-rows.js';
import { type ExportSource, exportUsers } from './export-users.js';
import { fileNamePart } from './file-name-part.js';

const copy = usersListCopy.export;

interface ExportDialogProps {
  readonly source: ExportSource;
  readonly columns: readonly ExportColumn[];
  readonly headings: readonly string[];
  /** Of the list, in words. */
  readonly filters: readonly string[];
  /** Undefined if it is unknown. */
  readonly total: number | undefined;
  readonly onClose: () => void;
}

/** Saves the users as they are listed. */
export function ExportDialog({ source, columns, headings, filters, total, onClose }: ExportDialogProps) {
  const [format, setFormat] = useState<ExportFormat>('xlsx');
  const [isByName, setIsByName] = useState(true);
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);
  const hasNames = columns.includes('organizationSerial') || columns.includes('tagSerials');
  const exporting = useMutation({
    mutationFn: async () => {
      setRead(0);
      stop.current = new AbortController();
      const fileName = exportFileName(source, filters, format);
      const table = { headings, columns, sheetName: copy.sheet };
      const { signal } = stop.current;
      const count = await exportUsers({ source, table, format, isByName, fileName, onRead: setRead, signal });
      return { count, fileName };
    },
    onSuccess: ({ count, fileName }) => {
      notify(copy.done(count, fileName));
      onClose();
    },
  });
  const isStopped = stop.current?.signal.aborted ?? false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    exporting.mutate();
  };
  return (
    <Dialog title={copy.title} size="lg" onClose={onClose} closeOnClickOutside={!exporting.isPending}>
      <form onSubmit={submit}>
        <Stack>
          <div>
            <Text size="sm">
              {'query' in source ? copy.list(total) : copy.selected(source.serials.length)}
            </Text>
            <Text size="sm">{copy.columns(headings)}</Text>
          </div>
          <Radio.Group
            label={copy.format}
            value={format}
            onChange={(value) => setFormat(value === 'csv' ? 'csv' : 'xlsx')}
          >
            <Group gap="lg" mt={6}>
              <Radio value="xlsx" label={copy.formats.xlsx} data-autofocus disabled={exporting.isPending} />
              <Radio value="csv" label={copy.formats.csv} disabled={exporting.isPending} />
            </Group>
          </Radio.Group>
          {hasNames && (
            <Checkbox
              label={copy.byName}
              description={copy.byNameHint}
              checked={isByName}
              disabled={exporting.isPending}
              onChange={(event) => setIsByName(event.currentTarget.checked)}
            />
          )}
          {exporting.isPending && <Reading read={read} total={total} />}
          {!isStopped && <ActionProblem title={copy.failed} error={exporting.error} />}
          <Group justify="flex-end">
            {exporting.isPending ? (
              <Button variant="default" onClick={() => stop.current?.abort()}>
                {copy.stop}
              </Button>
            ) : (
              <Button variant="default" onClick={onClose}>
                {commonCopy.cancel}
              </Button>
            )}
            <Button type="submit" loading={exporting.isPending}>
              {copy.start}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Says which users are in the file. */
function exportFileName(source: ExportSource, filters: readonly string[], format: ExportFormat): string {
  const which = 'query' in source ? fileNamePart(filters) : copy.fileSelected(source.serials.length);
  const day = sheetTime(new Date().toISOString()).slice(0, 10);
  return `${copy.fileName(which === '' ? day : `${which}-${day}`)}.${format}`;
}

function Reading({ read, total }: { read: number; total: number | undefined }) {
  const text = copy.progress(read, total);
  return (
    <div>
      <Progress.Root size="md">
        <Progress.Section
          value={total === undefined || total === 0 ? 100 : Math.min(100, (100 * read) / total)}
          animated={total === undefined}
          aria-label={text}
        />
      </Progress.Root>
      <Text size="sm" mt={4} role="status">
        {text}
      </Text>
    </div>
  );
}
