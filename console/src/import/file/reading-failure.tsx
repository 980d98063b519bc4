import { Notice } from '../../components/notice.js';
import { importCopy } from '../../copy/copy.js';
import { tableProblemMessage } from '../state/sheet-messages.js';
import type { Reading } from '../state/state.js';

const copy = importCopy.file;

export function ReadingFailure({ reading }: { reading: Reading }) {
  if (reading.state !== 'failed') return null;
  const { name, failure } = reading;
  return (
    <Notice color="red" title={copy.cannotRead(name)} role="alert">
      {failure.code === 'UNREADABLE' ? copy.unreadable : tableProblemMessage(failure)}
    </Notice>
  );
}
