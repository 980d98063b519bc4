import { Button, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { type ClipboardEvent, type DragEvent, useState } from 'react';
import { Notice } from '../../components/notice.js';
import { bulkCopy } from '../../copy/bulk.js';
import type { StepProps } from '../bulk-page.js';
import styles from '../components/bulk.module.css';
import { download } from '../components/download.js';
import { StepHeading } from '../components/step-heading.js';
import { fileRowsMax } from '../state/source.js';
import { failureText } from './failure-text.js';
import { takeFile } from './load-file.js';
import { ReadingProgress } from './reading-progress.js';
import { templateOf } from './template.js';

const copy = bulkCopy.file;
const kinds = '.csv,.tsv,.txt,.xlsx,.json,.ndjson,text/csv,text/plain';

export function FileStep({ wizard, onGo }: StepProps) {
  const { kind, reading, source, rows } = wizard;
  const take = (name: string, content: Blob | string) =>
    takeFile(wizard, { name, content }, {}, () => onGo('columns'));
  return (
    <Stack maw={760}>
      <div>
        <StepHeading>{copy.heading}</StepHeading>
        <Text size="sm">
          {copy.hint[kind]} {copy.limit(fileRowsMax)}
        </Text>
      </div>
      {reading.state === 'failed' && (
        <Notice color="red" title={copy.cannot(reading.name)} role="alert">
          {failureText(reading.failure)}
        </Notice>
      )}
      {source && rows && reading.state === 'idle' && (
        <Group>
          <Text fw={600}>{copy.taken(source.name, rows.cells.length)}</Text>
          <Button onClick={() => onGo('columns')}>{bulkCopy.next}</Button>
        </Group>
      )}
      {reading.state === 'reading' ? (
        <ReadingProgress reading={reading} />
      ) : (
        <>
          <DropArea onFile={(file) => take(file.name, file)} />
          <PasteArea onText={(text) => take(copy.pasted, text)} />
          <div>
            <Button variant="subtle" onClick={() => download(copy.templateName[kind], templateOf(kind))}>
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
    // biome-ignore lint/a11y/noStaticElementInteractions: the button within does the same with a keyboard
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
        accept={kinds}
        inputProps={{ 'aria-label': copy.choose }}
      >
        {(props) => <Button {...props}>{copy.choose}</Button>}
      </FileButton>
    </div>
  );
}

/** Takes what is pasted at once: a hundred thousand rows in a text field would hold up the page. */
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
