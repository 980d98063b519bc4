import { Button, Group, List, Loader, Modal, Stack, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { Notice } from '../../components/notice.js';
import { Problem } from '../../components/problem.js';
import { bulkCopy } from '../../copy/bulk.js';
import { commonCopy } from '../../copy/common.js';
import { tools } from '../state/dependencies.js';
import type { BulkKind } from '../state/service-calls.js';
import type { Wizard } from '../state/wizard.js';
import { callsToUndo, type LeftAsItIs, lookAtUndo, type Undo, undoAll } from './undo.js';

const copy = bulkCopy.undo;
const leftShown = 10;

/** Shows what an undo would do before it is done. */
export function UndoDialog({ wizard }: { wizard: Wizard }) {
  const [isOpen, setIsOpen] = useState(false);
  const open = () => {
    void lookAtUndo(wizard, tools);
    setIsOpen(true);
  };
  const undo = async () => {
    await undoAll(wizard, tools);
    if (wizard.undo?.state === 'done') setIsOpen(false);
  };
  const close = () => wizard.undo?.state !== 'undoing' && setIsOpen(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {bulkCopy.result.undo}
      </Button>
      <Modal opened={isOpen} onClose={close} title={copy.title} centered>
        {wizard.undo && (
          <Question undo={wizard.undo} wizard={wizard} onUndo={() => void undo()} onClose={close} />
        )}
      </Modal>
    </>
  );
}

interface QuestionProps {
  readonly undo: Undo;
  readonly wizard: Wizard;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

function Question({ undo, wizard, onUndo, onClose }: QuestionProps) {
  const { state, restored, left, brakes, error } = undo;
  if (state === 'looking' || state === 'undoing') {
    return (
      <Group role="status">
        <Loader size="sm" aria-hidden />
        <Text size="sm">{state === 'looking' ? copy.looking : copy.undoing}</Text>
      </Group>
    );
  }
  if (state === 'failed') {
    return <Problem title={copy.cannot} error={error} onRetry={() => void lookAtUndo(wizard, tools)} />;
  }
  return (
    <Stack gap="sm">
      <Text size="sm">
        {restored === 0 ? copy.nothing : copy.would(restored, left.length, wizard.kind)}{' '}
        {callsToUndo(wizard).length > 1 && copy.severalCalls}
      </Text>
      {[...new Set(Array.from(brakes.values(), ({ sentence }) => sentence))].map((sentence) => (
        <Notice key={sentence} color="orange" role="status">
          {sentence}
        </Notice>
      ))}
      <Left left={left} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {commonCopy.cancel}
        </Button>
        <Button onClick={onUndo} disabled={restored === 0} data-autofocus>
          {copy.confirm}
        </Button>
      </Group>
    </Stack>
  );
}

/** What an undo has come to. */
export function UndoResult({ undo, kind }: { undo: Undo | undefined; kind: BulkKind }) {
  const result = useRef<HTMLDivElement>(null);
  const isDone = undo?.state === 'done';
  // The button that was pressed is gone by now.
  useEffect(() => {
    if (isDone) result.current?.focus();
  }, [isDone]);
  if (!undo || !isDone) return null;
  return (
    <Notice color={undo.left.length === 0 ? 'green' : 'orange'} role="status" ref={result}>
      <Text size="sm">{copy.done(undo.restored, kind)}</Text>
      <Left left={undo.left} />
    </Notice>
  );
}

function Left({ left }: { left: readonly LeftAsItIs[] }) {
  if (left.length === 0) return null;
  return (
    <>
      <Text size="sm" mt="xs">
        {copy.left(left.length)}
      </Text>
      <List size="sm">
        {left.slice(0, leftShown).map(({ employeeID, message }) => (
          <List.Item key={`${employeeID} ${message}`}>{message}</List.Item>
        ))}
      </List>
      {left.length > leftShown && <Text size="sm">{copy.more(left.length - leftShown)}</Text>}
    </>
  );
}
