import { Modal } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import { sessionCopy } from '../copy/session.js';
import { getSession, type SessionState, useSession } from '../session/session.js';
import { refreshProfile } from '../session/sign-in.js';
import { MustChangeForm, MustChangePassword } from './must-change-password.js';
import { NoRole } from './no-role.js';
import { SignInForm } from './sign-in-form.js';
import { SignInPage } from './sign-in-page.js';

// Before any dialog of a page hears of it: the key that is pressed at the sign-in must not close what waits underneath.
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

/** Lets in who is signed in. */
export function SessionGate({ children }: { children: ReactNode }) {
  const state = useSession();
  useEffect(() => void refreshProfile(), []);
  return state.kind === 'none' ? <SignInPage /> : <Inside state={state}>{children}</Inside>;
}

interface InsideProps {
  readonly state: Exclude<SessionState, { kind: 'none' }>;
  readonly children: ReactNode;
}

/** Above the dialogs of the page, which wait underneath with what was typed into them. */
const aboveAll = 1_000;
const inescapable = {
  onClose: () => {},
  withCloseButton: false,
  closeOnClickOutside: false,
  closeOnEscape: false,
  zIndex: aboveAll,
  // Whoever comes by must not read on: the page stays only for what was typed there.
  overlayProps: { backgroundOpacity: 1, color: 'var(--mantine-color-body)' },
} as const;

/** A session that ends is renewed above the page, so that nothing typed there is lost. */
function Inside({ state: { kind, session }, children }: InsideProps) {
  const mustChange = kind === 'active' && session.mustChangePassword;
  const [hasArrived, setHasArrived] = useState(!mustChange);
  if (!hasArrived) return <MustChangePassword onChanged={() => setHasArrived(true)} />;
  return (
    <>
      {session.scopes.length === 0 ? <NoRole /> : children}
      <Modal {...inescapable} opened={kind === 'ended'} title={sessionCopy.endedTitle}>
        <SignInForm hint={sessionCopy.endedHint} username={session.username ?? ''} />
      </Modal>
      <Modal {...inescapable} opened={mustChange} title={sessionCopy.mustChangeTitle}>
        <MustChangeForm onChanged={() => {}} />
      </Modal>
    </>
  );
}
