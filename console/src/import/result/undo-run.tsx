import { Button } from '@mantine/core';
import { useState } from 'react';
import { employeeIDOf } from '../../components/undo-calls.js';
import { UndoDialog } from '../../components/undo-dialog.js';
import { importCopy } from '../../copy/copy.js';
import { callsToUndo } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';

/** Undoes every call of the run. */
export function UndoRun() {
  const store = useImportStore();
  const calls = callsToUndo(useImportState());
  const [ids, setIds] = useState<readonly string[]>();
  return (
    <>
      {calls.length > 0 && (
        <Button variant="default" onClick={() => setIds(calls.map(({ id }) => id))}>
          {importCopy.result.undo}
        </Button>
      )}
      {ids && (
        <UndoDialog
          ids={ids}
          onCallUndone={(id, { report, callId }) =>
            store.dispatch({
              type: 'callUndone',
              id,
              undoneBy: callId ?? '',
              skipped: new Set(report.failedItems.map(employeeIDOf)),
            })
          }
          onClose={() => setIds(undefined)}
        />
      )}
    </>
  );
}
