import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'wouter';
import { AwaitsApproval } from '../components/call-state.js';
import { Notice } from '../components/notice.js';
import { commonCopy, matchingCopy as copy, usersListCopy } from '../copy/copy.js';
import { countMatching, type MatchingResult } from './matching-call.js';
import { type MatchingPlan, planText } from './matching-plan.js';
import type { MatchingRequest } from './matching-request.js';
import { MatchingTables } from './matching-tables.js';

interface MatchingDoneProps {
  readonly result: MatchingResult;
  readonly request: MatchingRequest;
  readonly onUndo: (callId: string) => void;
  readonly onClose: () => void;
}

export function MatchingDone(props: MatchingDoneProps) {
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
