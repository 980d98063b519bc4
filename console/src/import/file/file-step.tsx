import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { fieldsOf, toCsv } from '@rollcall/sheets';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { download } from '../../components/download.js';
import { commonCopy } from '../../copy/copy.js';
import { csvSeparator } from '../../copy/format.js';
import { importCopy } from '../../copy/on-demand-copy.js';
import styles from '../components/import.module.css';
import { StepHeading, type StepProps } from '../components/step-heading.js';
import { dependencies } from '../state/dependencies.js';
import { fileRowsMax } from '../state/source.js';
import { useImportState, useImportStore } from '../state/store.js';
import { loadFile } from './load-file.js';
import { ReadingFailure, ReadingProgress } from './reading.js';

const copy = importCopy.file;
const acceptedTypes = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,text/csv,text/plain';

export function FileStep({ goTo }: StepProps) {
  const store = useImportStore();
  const { reading, source, rows } = useImportState();
  const load = (name: string, content: Blob | string) =>
    loadFile(store, { name, content }, {}, dependencies, () => goTo('columns'));
  return (
    <Stack maw={760}>
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">
          {copy.hint} {copy.limit(fileRowsMax)}
        </Text>
        <Text size="sm" c="dimmed" mt={4}>
          {copy.safe}
        </Text>
      </div>
      <ReadingFailure reading={reading} />
      {source && rows && reading.state === 'idle' && (
        <Group>
          <Text fw={600}>{copy.loaded(source.name, rows.cells.length)}</Text>
          <Button onClick={() => goTo('columns')}>{importCopy.next}</Button>
        </Group>
      )}
      {reading.state === 'reading' ? (
        <ReadingProgress reading={reading} />
      ) : (
        <>
          <DropArea onFile={(file) => load(file.name, file)} />
          <PasteArea onText={(text) => load(copy.pasted, text)} />
          <div>
            <Button variant="subtle" onClick={() => download(copy.templateName, template())}>
              {copy.template}
            </Button>
          </div>
        </>
      )}
    </Stack>
  );
}

function DropArea({ onFile }: { onFile: (file: File) => void }) {
  const [isOver, setIsOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onFile(file);
  };
  const over = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(true);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside works with the keyboard
    <div
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <Text mb="sm">{copy.drop}</Text>
      <FileButton
        onChange={(file) => file && onFile(file)}
        accept={acceptedTypes}
        inputProps={{ 'aria-label': copy.choose }}
      >
        {(props) => <Button {...props}>{copy.choose}</Button>}
      </FileButton>
    </div>
  );
}

/** Reads the clipboard directly: 100,000 rows in a text field would freeze the page. */
function PasteArea({ onText }: { onText: (text: string) => void }) {
  const paste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain');
    if (text === '') return;
    event.preventDefault();
    onText(text);
  };
  return (
    <Textarea
      label={copy.pasteLabel}
      description={copy.pasteHint}
      rows={3}
      value=""
      onChange={(event) => event.currentTarget.value.includes('\n') && onText(event.currentTarget.value)}
      onPaste={paste}
    />
  );
}

/** Only headings, because an example row could be sent by mistake. */
function template(): string {
  const headings = fieldsOf('sync').map((field) => commonCopy.fields[field]);
  return toCsv([headings], { bom: true, separator: csvSeparator });
}
