import { Button, Loader, Modal, Paper, Text, Title } from '@mantine/core';
import { onlineManager } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { commonCopy, outageCopy, sessionCopy } from '../copy/copy.js';
import { loadAccountCopy } from '../copy/load-copy.js';
import { forgetExpiredWork } from '../session/kept-work.js';
import { isProofAsked, refuseProof, useIsProofAsked } from '../session/proof.js';
import {
  getSession,
  type Restriction,
  restrictionOf,
  type SessionState,
  useSession,
} from '../session/session.js';
import { forgetPasswordToReplace, passwordToReplace, refreshProfile, signOut } from '../session/sign-in.js';
import { ChangePasswordForm } from './change-password-form.js';
import css from './outage-notice.module.css';
import { ProveDialog } from './prove-dialog.js';
import { SignInForm, SignInPage, StandalonePage } from './sign-in-page.js';

// Loaded on demand: few people see them, and rarely.
const Enrolment = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./enrolment.js')).Enrolment };
});
const SecondStep = lazy(async () => {
  await loadAccountCopy();
  return { default: (await import('./second-step.js')).SecondStep };
});

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
  return state.kind === 'ended' || restrictionOf(state) !== undefined;
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
function Inside({ state, children }: InsideProps) {
  const { kind, session } = state;
  const restriction = restrictionOf(state);
  const [isInside, setIsInside] = useState(restriction === undefined);
  if (!isInside && restriction === undefined) setIsInside(true);
  const isAskedForProof = useIsProofAsked();
  if (!isInside) return restriction && <BeforeEntering key={restriction} restriction={restriction} />;
  return (
    <>
      {children}
      <Modal {...blocking} opened={kind === 'ended'} title={sessionCopy.endedTitle}>
        <SignInForm hint={sessionCopy.endedHint} signInName={session.signInName ?? ''} />
      </Modal>
      <Modal {...blocking} opened={restriction !== undefined} title={restriction && titles[restriction]}>
        {restriction && <Missing restriction={restriction} />}
      </Modal>
      {isAskedForProof && <ProveDialog />}
    </>
  );
}

const titles = {
  factor: sessionCopy.secondStepTitle,
  password: sessionCopy.mustChangeTitle,
  enrolment: sessionCopy.enrolTitle,
} as const satisfies Record<Restriction, string>;

/** What is missing after a sign-in: the second step, a password to replace the one that was sent, or a first factor. */
function BeforeEntering({ restriction }: { restriction: Restriction }) {
  const content = useRef<HTMLDivElement>(null);
  // The form that had the focus is gone. Dialogs set the focus themselves.
  useEffect(() => content.current?.querySelector('input')?.focus(), []);
  return (
    <StandalonePage title={titles[restriction]}>
      <div ref={content}>
        <Title order={1} size="h3" mb="xs">
          {titles[restriction]}
        </Title>
        <Missing restriction={restriction} />
      </div>
    </StandalonePage>
  );
}

function Missing({ restriction }: { restriction: Restriction }) {
  switch (restriction) {
    case 'factor':
      return (
        <Suspense fallback={<Loader aria-label={commonCopy.loading} />}>
          <SecondStep />
        </Suspense>
      );
    case 'password':
      return <MustChangeForm />;
    case 'enrolment':
      return (
        <Suspense fallback={<Loader aria-label={commonCopy.loading} />}>
          <Enrolment />
        </Suspense>
      );
  }
}

function MustChangeForm() {
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
      <ChangePasswordForm known={known} onWrong={forget} onChanged={() => {}} />
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
