import { Button, Loader, Modal, Paper, Text, Title } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { outageCopy, sessionCopy } from '../copy/copy.js';
import { forgetExpiredWork } from '../session/kept-work.js';
import { isProofAsked, refuseProof, useIsProofAsked } from '../session/proof.js';
import { getSession, type SessionState, useSession } from '../session/session.js';
import { forgetPasswordToReplace, passwordToReplace, refreshProfile, signOut } from '../session/sign-in.js';
import { ChangePasswordForm } from './change-password-form.js';
import css from './outage-notice.module.css';
import { ProveDialog } from './prove-dialog.js';
import { SignInForm, SignInPage, StandalonePage } from './sign-in-page.js';

// Escape in these dialogs must not close a dialog underneath, so this listener runs first.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || !(isInterrupted(getSession()) || isProofAsked())) return;
    event.stopImmediatePropagation();
    refuseProof();
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
    void forgetExpiredWork().catch(() => {}); // a browser that keeps nothing
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
  const isAskedForProof = useIsProofAsked();
  if (!isInside) return <MustChangePassword onChanged={() => setIsInside(true)} />;
  return (
    <>
      {children}
      <Modal {...blocking} opened={kind === 'ended'} title={sessionCopy.endedTitle}>
        <SignInForm hint={sessionCopy.endedHint} signInName={session.signInName ?? ''} />
      </Modal>
      <Modal {...blocking} opened={mustChange} title={sessionCopy.mustChangeTitle}>
        <MustChangeForm onChanged={() => {}} />
      </Modal>
      {isAskedForProof && <ProveDialog />}
    </>
  );
}

/** Shown at the first sign-in with a password that was sent. */
function MustChangePassword({ onChanged }: { onChanged: () => void }) {
  const content = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone. Dialogs set the focus themselves.
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  return (
    <StandalonePage title={sessionCopy.mustChangeTitle}>
      <div ref={content}>
        <Title order={1} size="h3" mb="xs">
          {sessionCopy.mustChangeTitle}
        </Title>
        <MustChangeForm onChanged={onChanged} />
      </div>
    </StandalonePage>
  );
}

function MustChangeForm({ onChanged }: { onChanged: () => void }) {
  const [known, setKnown] = useState(passwordToReplace);
  const forget = () => {
    forgetPasswordToReplace();
    setKnown(undefined);
  };
  return (
    <>
      <Text size="sm" c="dimmed" mb="md">
        {sessionCopy.mustChangeHint}
      </Text>
      <ChangePasswordForm known={known} onWrong={forget} onChanged={onChanged} />
      <Button mt="md" variant="subtle" color="gray" fullWidth onClick={() => void signOut()}>
        {sessionCopy.signOut}
      </Button>
    </>
  );
}

/** Says that the page waits for the service. Nothing else changes, so that the user can read on. */
function OutageNotice() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div className={css.place} role="status">
      {!isOnline && (
        <Paper className={css.notice} withBorder shadow="md" radius="xl">
          <Loader size={14} color="gray" aria-hidden />
          <Text size="sm">{outageCopy.waiting}</Text>
        </Paper>
      )}
    </div>
  );
}
