import { Modal } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { OutageNotice } from '../components/outage-notice.js';
import { sessionCopy } from '../copy/copy.js';
import { getSession, type SessionState, useSession } from '../session/session.js';
import { refreshProfile } from '../session/sign-in.js';
import { MustChangeForm, MustChangePassword } from './must-change-password.js';
import { NoRole } from './no-role.js';
import { SignInForm } from './sign-in-form.js';
import { SignInPage } from './sign-in-page.js';

// Escape in the sign-in dialog must not close a dialog underneath, so this listener runs first.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key === 'Escape' && isInterrupted(getSession())) event.stopImmediatePropagation();
  },
  { capture: true },
);

function isInterrupted(state: SessionState): boolean {
  return state.kind === 'ended' || (state.kind === 'active' && state.session.mustChangePassword);
}

export function SessionGate({ children }: { children: ReactNode }) {
  const state = useSession();
  useEffect(() => {
    void refreshProfile();
    return onlineManager.subscribe((isOnline) => isOnline && void refreshProfile());
  }, []);
  return (
    <>
      {state.kind === 'none' ? <SignInPage /> : <Inside state={state}>{children}</Inside>}
      <OutageNotice />
    </>
  );
}

interface InsideProps {
  readonly state: Exclude<SessionState, { kind: 'none' }>;
  readonly children: ReactNode;
}

/** Above the dialogs of the page. */
const aboveAll = 1_000;
const blocking = {
  onClose: () => {},
  withCloseButton: false,
  closeOnClickOutside: false,
  closeOnEscape: false,
  zIndex: aboveAll,
  // Hides the page, which stays mounted only to keep its input.
  overlayProps: { backgroundOpacity: 1, color: 'var(--mantine-color-body)' },
} as const;

/** Expired sessions are renewed above the page, so that no input is lost. */
function Inside({ state: { kind, session }, children }: InsideProps) {
  const mustChange = kind === 'active' && session.mustChangePassword;
  const [isInside, setIsInside] = useState(!mustChange);
  if (!isInside) return <MustChangePassword onChanged={() => setIsInside(true)} />;
  return (
    <>
      {session.scopes.length === 0 ? <NoRole /> : children}
      <Modal {...blocking} opened={kind === 'ended'} title={sessionCopy.endedTitle}>
        <SignInForm hint={sessionCopy.endedHint} signInName={session.signInName ?? ''} />
      </Modal>
      <Modal {...blocking} opened={mustChange} title={sessionCopy.mustChangeTitle}>
        <MustChangeForm onChanged={() => {}} />
      </Modal>
    </>
  );
}
