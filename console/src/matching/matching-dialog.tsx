import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { AwaitsApproval } from '../components/call-state.js';
import { Dialog } from '../components/dialog.js';
import { Notice } from '../components/notice.js';
import { UndoDialog } from '../components/undo-dialog.js';
import { commonCopy, matchingCopy as copy, usersListCopy } from '../copy/copy.js';
import {
  countMatching,
  type MatchingPlan,
  type MatchingRequest,
  type MatchingResult,
  planText,
} from './matching-call.js';
import { MatchingConfirm } from './matching-confirm.js';
import { MatchingTables } from './matching-tables.js';

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
  const form = useRef<HTMLDivElement>(null);
  const isBack = useRef(false);
  useEffect(() => {
    if (request !== undefined || !isBack.current) return;
    isBack.current = false;
    form.current?.querySelector<HTMLElement>('button[type=submit]')?.focus(); // the preview had it, and is gone
  }, [request]);
  if (undoId !== undefined) return <UndoDialog ids={[undoId]} onClose={onClose} />;
  return (
    <Dialog
      title={done && !done.isPlanned ? copy.doneTitle : title}
      size={request ? 'xl' : 'lg'}
      closeOnClickOutside={false}
      onClose={onClose}
    >
      {!request ? (
        <div ref={form}>{children}</div>
      ) : done ? (
        <MatchingDone result={done} request={request} onUndo={setUndoId} onClose={onClose} />
      ) : (
        <MatchingConfirm
          request={request}
          onDone={setDone}
          onBack={() => {
            isBack.current = true;
            onBack();
          }}
        />
      )}
    </Dialog>
  );
}

interface MatchingDoneProps {
  readonly result: MatchingResult;
  readonly request: MatchingRequest;
  readonly onUndo: (callId: string) => void;
  readonly onClose: () => void;
}

function MatchingDone(props: MatchingDoneProps) {
  const { result, onClose } = props;
  if (!result.isPlanned) return <Done {...props} />;
  return (
    <Stack>
      {props.request.plan ? (
        <Planned plan={props.request.plan} callId={result.callId} />
      ) : (
        <AwaitsApproval callId={result.callId} />
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{commonCopy.close}</Button>
      </Group>
    </Stack>
  );
}

function Planned({ plan, callId }: { plan: MatchingPlan; callId: string | null }) {
  const notice = useRef<HTMLDivElement>(null);
  useEffect(() => notice.current?.focus(), []); // the form is gone, and the focus with it
  return (
    <Notice color="blue" role="status" title={usersListCopy.plan.plannedTitle} ref={notice}>
      <Text size="sm">{planText(plan)}</Text>
      <Text size="sm">{usersListCopy.plan.nothingYet}</Text>
      {callId !== null && (
        <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm" underline="always" c="inherit">
          {usersListCopy.plan.view}
        </Anchor>
      )}
    </Notice>
  );
}

function Done({ result, request, onUndo, onClose }: MatchingDoneProps) {
  const { report, callId } = result;
  const outcome = useRef<HTMLDivElement>(null);
  useEffect(() => outcome.current?.focus(), []); // the dialog was scrolled down to its buttons
  const { matched, changed, unchanged, failed } = countMatching(report);
  const nothingChanged = (matched === 0 && request.doneWithoutUsers) || copy.nothingDone;
  return (
    <Stack>
      <div role="status" ref={outcome} tabIndex={-1}>
        <Text fw={600}>{changed === 0 ? nothingChanged : (request.changed ?? copy.changed)(changed)}</Text>
        {unchanged > 0 && <Text>{copy.stayed(unchanged)}</Text>}
        {failed > 0 && <Text>{copy.didFail(failed)}</Text>}
      </div>
      {request.doneNote !== undefined && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {request.doneNote}
        </Text>
      )}
      <MatchingTables report={report} step="done" />
      <Group justify="flex-end">
        {callId !== null && (
          <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm" me="auto">
            {copy.viewCall}
          </Anchor>
        )}
        {callId !== null && changed > 0 && (
          <Button variant="default" onClick={() => onUndo(callId)}>
            {copy.undo}
          </Button>
        )}
        <Button onClick={onClose}>{commonCopy.close}</Button>
      </Group>
    </Stack>
  );
}
