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
  readonly isOn: boolean;
  readonly title: string;
  readonly hint: string;
  readonly stay: string;
  readonly leave: string;
}

/** Asks before the user leaves the page by a link, the back button, signing out, or by closing the tab. */
export function LeaveGuard({ isOn, title, hint, stay, leave }: LeaveGuardProps) {
  const [attempt, setAttempt] = useState<NavigationAttempt>();
  const isGuarded = useRef(false);
  useEffect(() => interceptNavigation(() => isGuarded.current, setAttempt), []);
  useEffect(() => {
    isGuarded.current = isOn;
    if (isOn) pushGuardEntry();
  }, [isOn]);
  const go = () => {
    isGuarded.current = false;
    setAttempt(undefined);
    if (attempt?.by === 'history') goBackPastGuard();
    else if (attempt?.by === 'action') attempt.action();
    else if (attempt) navigate(attempt.to, { replace: true });
  };
  return (
    <Modal opened={attempt !== undefined} onClose={() => setAttempt(undefined)} title={title}>
      <Text size="sm">{hint}</Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={() => setAttempt(undefined)} data-autofocus>
          {stay}
        </Button>
        <Button color="red" onClick={go}>
          {leave}
        </Button>
      </Group>
    </Modal>
  );
}
