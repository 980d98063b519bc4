import { Checkbox, Text, TextInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import { FormDialog } from '../../components/dialog.js';
import { importReviewCopy } from '../../copy/on-demand-copy.js';
import { dependencies } from '../state/dependencies.js';
import { useImportState, useImportStore } from '../state/store.js';
import { editColumn, type Replacement, replacedTexts } from './edit-cells.js';

const copy = importReviewCopy.replace;

interface ReplaceDialogProps {
  readonly column: number;
  readonly heading: string;
  readonly onClose: () => void;
}

/** Says how many cells it changes before it does. */
export function ReplaceDialog({ column, heading, onClose }: ReplaceDialogProps) {
  const store = useImportStore();
  const { rows } = useImportState();
  const [replacement, setReplacement] = useState<Replacement>({
    find: '',
    replaceWith: '',
    isWholeCell: false,
  });
  const texts = useMemo(
    () => (rows ? replacedTexts(rows, column, replacement) : []),
    [rows, column, replacement],
  );
  const change = (part: Partial<Replacement>) => setReplacement({ ...replacement, ...part });
  return (
    <FormDialog
      title={copy.title(heading)}
      save={copy.confirm(texts.length)}
      isComplete={texts.length > 0}
      failed={copy.failed}
      action={async () => editColumn(store, column, texts, dependencies)}
      onClose={onClose}
    >
      <TextInput
        label={copy.find}
        value={replacement.find}
        onChange={(event) => change({ find: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        label={copy.replaceWith}
        value={replacement.replaceWith}
        onChange={(event) => change({ replaceWith: event.currentTarget.value })}
      />
      <Checkbox
        label={copy.wholeCell}
        checked={replacement.isWholeCell}
        onChange={(event) => change({ isWholeCell: event.currentTarget.checked })}
      />
      <Text size="sm" role="status">
        {copy.found(texts.length)}
      </Text>
    </FormDialog>
  );
}
