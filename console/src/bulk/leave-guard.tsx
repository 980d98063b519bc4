import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { bulkCopy } from '../copy/bulk.js';

/** Asks before a run is left alone: by the browser when the tab is closed, and here for links of the console. */
export function LeaveGuard({ isOn }: { isOn: boolean }) {
  const [target, setTarget] = useState<string>();
  const [, navigate] = useLocation();
  useEffect(() => {
    if (!isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const catchLink = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href^="/"]') : null;
      const opensHere = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey;
      if (!link || link.getAttribute('target') === '_blank' || !opensHere) return;
      event.preventDefault();
      event.stopPropagation();
      setTarget(link.getAttribute('href') ?? undefined);
    };
    window.addEventListener('beforeunload', ask);
    document.addEventListener('click', catchLink, true);
    return () => {
      window.removeEventListener('beforeunload', ask);
      document.removeEventListener('click', catchLink, true);
    };
  }, [isOn]);
  const stay = () => setTarget(undefined);
  return (
    <Modal opened={isOn && target !== undefined} onClose={stay} title={bulkCopy.run.leaveTitle} centered>
      <Text size="sm">{bulkCopy.run.leaveHint}</Text>
      <Group mt="md" justify="flex-end">
        <Button variant="default" onClick={() => target && navigate(target)}>
          {bulkCopy.run.leave}
        </Button>
        <Button onClick={stay} data-autofocus>
          {bulkCopy.run.stay}
        </Button>
      </Group>
    </Modal>
  );
}
