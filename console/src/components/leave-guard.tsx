import { Button, Group, Modal, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import {
  goBackPastGuard,
  interceptNavigation,
  type NavigationAttempt,
  pushGuardEntry,
} from './navigation-guard.js';

interface LeaveGuardProps {
  /** Whether something would be lost. */
  readonly isOn: boolean;
  readonly title: string;
  readonly hint: string;
  readonly stay: string;
  readonly leave: string;
}

/** Asks before a page is left on which something was typed and not saved: by a link, the way back, or the tab. */
export function LeaveGuard({ isOn, title, hint, stay, leave }: LeaveGuardProps) {
  const [way, setWay] = useState<NavigationAttempt>();
  const isGuarded = useRef(false);
  useEffect(() => interceptNavigation(() => isGuarded.current, setWay), []);
  useEffect(() => {
    isGuarded.current = isOn;
    if (isOn) pushGuardEntry();
  }, [isOn]);
  const go = () => {
    isGuarded.current = false;
    setWay(undefined);
    if (way?.by === 'history') goBackPastGuard();
    else if (way) navigate(way.to, { replace: true });
  };
  return (
    <Modal opened={way !== undefined} onClose={() => setWay(undefined)} title={title}>
      <Text size="sm">{hint}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => setWay(undefined)} data-autofocus>
          {stay}
        </Button>
        <Button color="red" onClick={go}>
          {leave}
        </Button>
      </Group>
    </Modal>
  );
}
