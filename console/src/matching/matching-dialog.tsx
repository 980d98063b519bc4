import { type ReactNode, useState } from 'react';
import { Dialog } from '../components/dialog.js';
import { matchingCopy } from '../copy/copy.js';
import { UndoDialog } from '../undo/undo-dialog.js';
import type { MatchingResult } from './matching-call.js';
import { MatchingConfirm } from './matching-confirm.js';
import { MatchingDone } from './matching-done.js';
import type { MatchingRequest } from './matching-request.js';

interface MatchingDialogProps {
  readonly title: string;
  /** Undefined until everything is entered. */
  readonly request: MatchingRequest | undefined;
  readonly onBack: () => void;
  readonly onClose: () => void;
  /** The form in which it is entered. */
  readonly children: ReactNode;
}

/** Asks what to change, previews it, changes it once the number is confirmed, and offers to undo it. */
export function MatchingDialog({ title, request, onBack, onClose, children }: MatchingDialogProps) {
  const [done, setDone] = useState<MatchingResult>();
  const [undoId, setUndoId] = useState<string>();
  if (undoId !== undefined) return <UndoDialog ids={[undoId]} onClose={onClose} />;
  return (
    <Dialog
      title={done && !done.isPlanned ? matchingCopy.doneTitle : title}
      size={request ? 'xl' : 'lg'}
      closeOnClickOutside={false}
      onClose={onClose}
    >
      {!request ? (
        children
      ) : done ? (
        <MatchingDone result={done} request={request} onUndo={setUndoId} onClose={onClose} />
      ) : (
        <MatchingConfirm request={request} onDone={setDone} onBack={onBack} />
      )}
    </Dialog>
  );
}
